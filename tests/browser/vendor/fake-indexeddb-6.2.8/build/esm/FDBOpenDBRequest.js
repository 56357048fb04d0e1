import FDBRequest from "./FDBRequest.js";
class FDBOpenDBRequest extends FDBRequest {
  onupgradeneeded = null;
  onblocked = null;
  get [Symbol.toStringTag]() {
    return "IDBOpenDBRequest";
  }
}
export default FDBOpenDBRequest;