// A seccomp program for bubblewrap (--seccomp). It always closes what no namespace separates: the kernel's key rings, since the keys of the
// session in which this program was started could be read and replaced, and the sockets between a virtual machine and its host; and what would let
// a command change the first process of its sandbox, with which everything in it ends. On demand it prevents creating Unix sockets, and ways to bypass
// system call filtering. Instructions as in linux/filter.h, fields as in struct seccomp_data.

/** Undefined on architectures whose system call numbers are not listed here. */
export function systemCallFilter({ withoutUnixSockets }: { withoutUnixSockets: boolean }): Buffer | undefined {
  const calls = process.platform === "linux" ? numbers[process.arch] : undefined;
  return calls && assemble(withoutUnixSockets ? closingSockets(calls) : closingKeys(calls));
}

/** For a program that needs no other process and no network: no sockets at all, and no way to signal, read or trace another process. */
export function helperCallFilter(): Buffer | undefined {
  const calls = process.platform === "linux" ? numbers[process.arch] : undefined;
  return calls && assemble(closingOthers(calls));
}

/** `keys`: add_key, request_key and keyctl. `tracing`: ptrace and process_vm_writev, in all their numbers. `foreign`: the calls of 32-bit programs,
 * which a 64-bit one can make too; `closed` are the same and socketcall, whose family no filter sees. `others`: connect, ptrace, kill, tkill, tgkill, process_vm_readv and process_vm_writev. */
type Calls = {
  audit: number;
  socket: number;
  socketpair: number;
  keys: number[];
  tracing: Tracing;
  foreign: { socket: number; closed: number[]; tracing: Tracing };
  others: number[];
};

type Tracing = { ptrace: number[]; write: number[] };

const numbers: Record<string, Calls> = {
  x64: {
    audit: 0xc000003e,
    socket: 41,
    socketpair: 53,
    keys: [248, 249, 250],
    tracing: { ptrace: [101, 521], write: [311, 540] }, // the second is that of x32
    foreign: { socket: 359, closed: [286, 287, 288, 102], tracing: { ptrace: [26], write: [348] } },
    others: [42, 101, 62, 200, 234, 310, 311],
  },
  arm64: {
    audit: 0xc00000b7,
    socket: 198,
    socketpair: 199,
    keys: [217, 218, 219],
    tracing: { ptrace: [117], write: [271] },
    foreign: { socket: 281, closed: [309, 310, 311, 102], tracing: { ptrace: [26], write: [377] } },
    others: [203, 117, 129, 130, 131, 270, 271],
  },
};

/** The same numbers on both. */
const ioUring = [425, 426, 427];
const pidDescriptors = [424, 434, 438];
/** The flag of x32 programs in a system call's number. */
const x32 = 0x40000000;

const field = { nr: 0, arch: 4, argument: (at: number) => 16 + 8 * at };
const unix = 1;
/** AF_VSOCK */
const virtualMachines = 40;
const typeMask = 0xf;
/** Socket pairs that are connected when created. A pair of datagram sockets could send to any other address. */
const harmlessPairs = [1, 5];

/** A jump goes to a later label; `next` is the following instruction. */
type Jump = { test: "equal" | "atLeast"; value: number; yes: string; no: string };
type Instruction = ({ load: number } | { mask: number } | Jump | { answer: number }) & { label?: string };

const equal = (value: number, yes: string, no = "next"): Jump => ({ test: "equal", value, yes, no });
const refused = (calls: number[]) => calls.map((nr) => equal(nr, "no call"));
/** Answered by whether they are about the first process: no command can make a namespace in which that is another one. */
const judged = ({ ptrace, write }: Tracing) => [...ptrace.map((nr) => equal(nr, "traced")), ...write.map((nr) => equal(nr, "written"))];
const tracingAnswers: Instruction[] = [
  { label: "traced", load: field.argument(1) },
  equal(1, "not permitted", "allow"),
  { label: "written", load: field.argument(0) },
  equal(1, "not permitted", "allow"),
];

function closingKeys({ audit, socket, keys, tracing, foreign }: Calls): Instruction[] {
  return [
    { load: field.arch },
    equal(audit, "next", "foreign"),
    { load: field.nr },
    { mask: ~x32 },
    ...refused([...keys, ...ioUring]), // io_uring makes sockets that no filter sees
    ...judged(tracing),
    equal(socket, "family", "allow"),
    { label: "foreign", load: field.nr },
    ...refused([...foreign.closed, ...ioUring]),
    ...judged(foreign.tracing),
    equal(foreign.socket, "family", "allow"),
    { label: "family", load: field.argument(0) },
    equal(virtualMachines, "no family", "allow"),
    ...tracingAnswers,
    ...answers,
  ];
}

function closingSockets({ audit, socket, socketpair, keys, tracing }: Calls): Instruction[] {
  return [
    { load: field.arch },
    equal(audit, "next", "no call"),
    { load: field.nr },
    { test: "atLeast", value: x32, yes: "no call", no: "next" },
    ...refused([...keys, ...ioUring]),
    ...judged(tracing),
    equal(socketpair, "pair"),
    equal(socket, "next", "allow"),
    { load: field.argument(0) },
    equal(unix, "no family", "allow"),
    { label: "pair", load: field.argument(0) },
    equal(unix, "next", "allow"),
    { load: field.argument(1) },
    { mask: typeMask },
    ...harmlessPairs.map((type) => equal(type, "allow")),
    { answer: errno(97) },
    ...tracingAnswers,
    ...answers,
  ];
}

function closingOthers({ audit, socket, socketpair, keys, others }: Calls): Instruction[] {
  return [
    { load: field.arch },
    equal(audit, "next", "no call"),
    { load: field.nr },
    { test: "atLeast", value: x32, yes: "no call", no: "next" },
    ...refused([...keys, ...ioUring, ...pidDescriptors, ...others]),
    equal(socket, "no family"),
    equal(socketpair, "no family", "allow"),
    ...answers,
  ];
}

/** SECCOMP_RET_ERRNO with EAFNOSUPPORT (97) or ENOSYS (38), which programs take as an unsupported feature, or EPERM (1). */
function errno(number: number): number {
  return 0x00050000 | number;
}

const answers: Instruction[] = [
  { label: "no family", answer: errno(97) },
  { label: "no call", answer: errno(38) },
  { label: "not permitted", answer: errno(1) },
  { label: "allow", answer: 0x7fff0000 },
];

/** BPF_LD | BPF_W | BPF_ABS, BPF_ALU | BPF_AND | BPF_K, BPF_JMP | BPF_JEQ or BPF_JGE | BPF_K, BPF_RET | BPF_K. */
const code = { load: 0x20, mask: 0x54, equal: 0x15, atLeast: 0x35, answer: 0x06 };

function assemble(program: Instruction[]): Buffer {
  const offset = (label: string, from: number) => (label === "next" ? 0 : program.findIndex((each) => each.label === label) - from - 1);
  return Buffer.concat(
    program.map((each, at) => {
      if ("load" in each) return instruction(code.load, each.load);
      if ("mask" in each) return instruction(code.mask, each.mask);
      if ("answer" in each) return instruction(code.answer, each.answer);
      return instruction(code[each.test], each.value, [offset(each.yes, at), offset(each.no, at)]);
    }),
  );
}

/** struct sock_filter; both architectures are little-endian. */
function instruction(opcode: number, value: number, [then, otherwise]: [number, number] = [0, 0]): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(opcode, 0);
  bytes.writeUInt8(then, 2);
  bytes.writeUInt8(otherwise, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}
