// Lays the files of an archive that bundle.py made into Python's file system.

const BLOCK = 512;
const reader = new TextDecoder();

export function lay(archive, files, folder) {
  const field = (at, length) => reader.decode(archive.subarray(at, at + length)).split("\0")[0];
  let at = 0;
  while (archive[at]) {
    const path = `${folder}/${field(at, 100)}`;
    const size = parseInt(field(at + 124, 12), 8);
    at += BLOCK;
    files.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    files.writeFile(path, archive.subarray(at, at + size), { canOwn: true });
    at += Math.ceil(size / BLOCK) * BLOCK;
  }
}
