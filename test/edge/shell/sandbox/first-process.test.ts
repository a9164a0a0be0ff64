// No command changes the first process of its sandbox, which ends with the one that made it; debuggers work on all others.
import { expect, it, onTestFinished } from "vitest";
import { lacks } from "../../../needs.ts";
import { escapeWorld } from "../../escape-world.ts";

const inSandbox = it.skipIf((await lacks("sandbox")) || !["x64", "arm64"].includes(process.arch));

/** ptrace(2), process_vm_writev(2), proc(5). Prints what each of them says about a process. */
const tries = `
import ctypes, os, signal, sys, time
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
class Part(ctypes.Structure):
    _fields_ = [("at", ctypes.c_void_p), ("length", ctypes.c_size_t)]
text = ctypes.create_string_buffer(b"text")
part = Part(ctypes.addressof(text), 4)
def said(result):
    return "ok" if result >= 0 else os.strerror(ctypes.get_errno())
def opened(path):
    try:
        return "ok" if open(path, "rb+", buffering=0) else ""
    except OSError as error:
        return error.strerror
def about(pid):
    print("write:", said(libc.process_vm_writev(pid, ctypes.byref(part), 1, ctypes.byref(part), 1, 0)))
    print("memory:", opened(f"/proc/{pid}/mem"), "|", opened(f"/proc/{pid}/task/{pid}/mem"))
    print("seize:", said(libc.ptrace(0x4206, pid, None, None)))
    libc.ptrace(17, pid, None, None)
    print("attach:", said(libc.ptrace(16, pid, None, None)))
about(1)
child = os.fork()
if child == 0:
    time.sleep(60)
about(child)
os.kill(child, signal.SIGKILL)
`;

inSandbox.each([{}, { socketsClosed: true }])("with %o", async (options) => {
  const { tree, run, close } = await escapeWorld(options);
  onTestFinished(close);
  tree.put("work/tries.py", tries);
  const { output } = await run("python3 -u tries.py");
  const lines = output.split("\n");
  expect(lines.slice(0, 4)).toEqual([
    "write: Operation not permitted",
    "memory: Permission denied | Permission denied",
    "seize: Operation not permitted",
    "attach: Operation not permitted",
  ]);
  expect(lines.slice(4, 6)).toEqual(["write: ok", "memory: ok | ok"]);
});
