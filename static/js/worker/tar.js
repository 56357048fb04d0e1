// Unpacks an archive that bundle.py made into Python's file system.

const BLOCK = 512;
const reader = new TextDecoder();

export function unpackArchive(archive, files, folder) {
  const field = (offset, length) => reader.decode(archive.subarray(offset, offset + length)).split("\0")[0];
  let offset = 0;
  while (archive[offset]) {
    const path = `${folder}/${field(offset, 100)}`;
    const size = parseInt(field(offset + 124, 12), 8);
    offset += BLOCK;
    files.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    files.writeFile(path, archive.subarray(offset, offset + size), { canOwn: true });
    offset += Math.ceil(size / BLOCK) * BLOCK;
  }
}
