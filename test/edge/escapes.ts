// Programs that try to leave the sandbox: to read a canary, to change files of others, or to outlive their command. Each is given to bash.
// The variables of escape-world.ts name their targets; a program may fail in any way.

export type Escape = [what: string, program: string, needs?: "python3" | "perl" | "node"];

const python = (text: string) => `python3 - <<'END'\nimport os,sys,ctypes,socket,signal,time,mmap,fcntl\nE=os.environ\n${text}\nEND`;
const node = (text: string) =>
  `node --input-type=module - <<'END'\nimport fs from "node:fs"; import net from "node:net"; import cp from "node:child_process"; const E = process.env;\n${text}\nEND`;
const perl = (text: string) => `perl - <<'END'\n${text}\nEND`;

const writesOutside: Escape[] = [
  ["redirect", "echo x > $OUTSIDE/file"],
  ["append", "echo x >> $OUTSIDE/file"],
  ["tee", "echo x | tee $OUTSIDE/file $OUTSIDE/new"],
  ["cp over", "echo x > a; cp -f a $OUTSIDE/file"],
  ["mv over", "echo x > a; mv -f a $OUTSIDE/file"],
  ["ln -sf in its place", "ln -sf /etc/passwd $OUTSIDE/file"],
  ["hard link out", "echo x > a; ln a $OUTSIDE/hard"],
  ["hard link in, then write", "ln $OUTSIDE/file h && echo x > h"],
  ["link in, then write", "ln -s $OUTSIDE/file l; echo x > l"],
  ["link to the folder, then write", "ln -s $OUTSIDE d; echo x > d/file; echo x > d/new"],
  ["..", "echo x > ../outside/file"],
  ["/proc/self/cwd/..", "echo x > /proc/self/cwd/../outside/file"],
  ["/proc/self/root", "echo x > /proc/self/root$OUTSIDE/file"],
  ["/proc/1/root", "echo x > /proc/1/root$OUTSIDE/file"],
  ["/proc/*/root", "for p in /proc/[0-9]*; do echo x > $p/root$OUTSIDE/file; echo x > $p/cwd/../outside/file; done"],
  ["rm", "rm -rf $OUTSIDE"],
  ["truncate", "truncate -s 0 $OUTSIDE/file"],
  ["chmod", "chmod 777 $OUTSIDE/file; chmod 000 $OUTSIDE"],
  ["chown", "chown 12345 $OUTSIDE/file"],
  ["touch", "touch -d 1999-01-01 $OUTSIDE/file $OUTSIDE"],
  ["setfattr and chattr", "setfattr -n user.x -v y $OUTSIDE/file; chattr +i $OUTSIDE/file"],
  ["mkdir and mkfifo", "mkdir $OUTSIDE/new; mkfifo $OUTSIDE/fifo"],
  ["dd", "dd if=/dev/zero of=$OUTSIDE/file count=1"],
  ["sed -i", "sed -i s/./x/g $OUTSIDE/file"],
  ["git in another repository", "git init -q $OUTSIDE/repo"],
  ["tar with absolute names", 'echo x > file; tar cf a.tar file; tar xPf a.tar --transform "s#^#$OUTSIDE/#"'],
  ["rsync or install", "echo x > a; install a $OUTSIDE/file; rsync a $OUTSIDE/file"],
  ["python open", python("open(E['OUTSIDE']+'/file','w').write('x')"), "python3"],
  ["python dir_fd", python("d=os.open('..',os.O_RDONLY); f=os.open('outside/file',os.O_WRONLY,dir_fd=d); os.write(f,b'x')"), "python3"],
  [
    "python O_PATH and /proc/self/fd",
    python("f=os.open(E['OUTSIDE']+'/file',os.O_PATH); open('/proc/self/fd/%d'%f,'w').write('x')"),
    "python3",
  ],
  [
    "python read-only fd reopened",
    python("f=os.open(E['OUTSIDE']+'/file',os.O_RDONLY); os.write(os.open('/proc/self/fd/%d'%f,os.O_RDWR),b'x')"),
    "python3",
  ],
  [
    "python shared map",
    python("f=os.open(E['OUTSIDE']+'/file',os.O_RDONLY); m=mmap.mmap(f,6,mmap.MAP_SHARED,mmap.PROT_WRITE); m[0:1]=b'x'"),
    "python3",
  ],
  ["python fchmod of a read-only fd", python("os.fchmod(os.open(E['OUTSIDE']+'/file',os.O_RDONLY),0o777)"), "python3"],
  ["python utime", python("os.utime(E['OUTSIDE']+'/file',(1,1))"), "python3"],
  ["node write", node("fs.writeFileSync(E.OUTSIDE + '/file', 'x')"), "node"],
  ["node rename", node("fs.writeFileSync('a', 'x'); fs.renameSync('a', E.OUTSIDE + '/file')"), "node"],
  ["perl open", perl("open(F,'>',\"$ENV{OUTSIDE}/file\"); print F 'x';"), "perl"],
  ["shell start-up files", "for f in .bashrc .profile .zshrc .gitconfig .config/fish/config.fish; do echo x >> ~/$f; done"],
  [
    "a home folder that is not there",
    "mkdir -p ~/.config/autostart; echo x > ~/.config/autostart/x.desktop; crontab -l; echo '* * * * * x' | crontab -",
  ],
  ["the person's /tmp", "echo x > $HOST_TMP; rm -f $HOST_TMP; echo x > /tmp/fine"],
];

const protectedInside: Escape[] = [
  ["a git hook", "mkdir -p .git/hooks; echo x > .git/hooks/post-checkout; chmod +x .git/hooks/post-checkout"],
  ["an existing git hook", "echo x >> .git/hooks/pre-commit"],
  ["git config by git", "git config core.fsmonitor ./x; git config alias.x '!x'; git config core.hooksPath ."],
  ["git config by hand", "echo '[core] pager=x' >> .git/config"],
  ["git config replaced", "echo x > c; mv -f c .git/config"],
  ["git config removed", "rm -f .git/config .git/hooks/pre-commit"],
  ["git info", "echo '* filter=x' > .git/info/attributes"],
  ["unmounting a cover", "umount .git/config; umount -l .git/hooks; echo x > .git/config"],
  ["remounting", "mount -o remount,rw /; mount -o remount,rw,bind .git/hooks; echo x > .git/hooks/pre-commit; echo x > $OUTSIDE/file"],
  [
    "the repository moved away and made anew",
    "mv .git g; cp -r g .git; echo '[core] pager=x' >> .git/config; echo x > .git/hooks/pre-commit",
  ],
  ["a repository in a moved folder", "mkdir -p sub; mv sub other; mkdir sub; git init -q sub; echo x > sub/.git/hooks/pre-commit"],
  ["project settings", "echo x > .tool/settings.json; echo x > .tool/settings.local.json"],
  ["project settings replaced", "rm -rf .tool; mkdir .tool; echo x > .tool/settings.json"],
  ["an editor's tasks", "mkdir -p .vscode; echo x > .vscode/tasks.json"],
  ["a link called .vscode", "mkdir evil; echo x > evil/tasks.json; ln -s evil .vscode"],
  ["husky, deep down", "mkdir -p packages/a/.husky; echo x > packages/a/.husky/pre-commit"],
  [".envrc", "echo x > .envrc"],
  [".mcp.json", "echo '{}' > .mcp.json"],
  ["a commondir and alternates", "echo $OUTSIDE > .git/commondir; echo $OUTSIDE > .git/objects/info/alternates"],
  ["a .git file", "mkdir z; echo gitdir: $OUTSIDE > z/.git"],
  ["clock trick", "touch -d 2001-01-01 .; echo x > .envrc; touch -d 2001-01-01 ."],
  [
    "python rename exchange",
    python("l=ctypes.CDLL(None); os.mkdir('n'); open('n/config','w').write('x'); l.syscall(316,-100,b'n',-100,b'.git',2)"),
    "python3",
  ],
  ["other agents' folders", "mkdir -p .claude .codex .cursor; echo x > .claude/settings.json; echo x > .cursor/rules"],
];

const readsHidden: Escape[] = [
  ["the ssh key", "cat ~/.ssh/id_ed25519"],
  ["the ssh key through a link", "ln -s ~/.ssh s; cat s/id_ed25519; cat s/*"],
  ["the ssh key through a hard link", "ln ~/.ssh/id_ed25519 k; cat k"],
  [
    "the ssh key through /proc",
    "cat /proc/1/root$HOME/.ssh/id_ed25519 /proc/self/root$HOME/.ssh/id_ed25519; for p in /proc/[0-9]*; do cat $p/root$HOME/.ssh/*; done",
  ],
  [
    "the ssh key in a search",
    "grep -rs CANARY ~ / --include=id_ed25519 --exclude-dir=proc --exclude-dir=sys -m1 2>/dev/null | head -3; tar cf - ~/.ssh | strings",
  ],
  ["cloud credentials", "cat ~/.aws/credentials ~/.netrc; cp -r ~/.aws .; cat .aws/*"],
  ["this program's own folder", "cat ~/.tool/settings.json; find ~/.tool -type f -exec cat {} +; ls -laR ~/.tool"],
  ["this program's own folder, written", "echo x > ~/.tool/settings.json; mkdir -p ~/.tool/teams/x; rm -rf ~/.tool"],
  ["a denied file", "cat secret/denied.txt"],
  [
    "a denied file by every program",
    "head secret/denied.txt; od -c secret/denied.txt; cp secret/denied.txt x; cat x; mv secret/denied.txt y; cat y; base64 secret/denied.txt",
  ],
  ["a denied file in a moved folder", "mv secret moved; cat moved/denied.txt; find . -type f -exec cat {} +"],
  ["a denied file by a link", "ln secret/denied.txt h; cat h; ln -s secret/denied.txt l; cat l"],
  ["a denied file changed", "echo x > secret/denied.txt; rm -f secret/denied.txt; truncate -s 0 secret/denied.txt"],
  [
    "a denied file by git",
    "git add -f secret/denied.txt; git show :secret/denied.txt; git stash; git diff --no-index /dev/null secret/denied.txt",
  ],
  ["a denied file unmasked", "umount secret/denied.txt; umount -l secret/denied.txt; cat secret/denied.txt"],
  ["a denied file in a user namespace", "unshare -Urm sh -c 'umount secret/denied.txt; cat secret/denied.txt'"],
  ["a denied file by python", python("print(open('secret/denied.txt').read())"), "python3"],
  [
    "a denied file by open_by_handle_at",
    python(
      "l=ctypes.CDLL(None,use_errno=True)\nclass H(ctypes.Structure): _fields_=[('n',ctypes.c_uint),('t',ctypes.c_int),('d',ctypes.c_char*128)]\nh=H(); h.n=128; m=ctypes.c_int()\nl.name_to_handle_at(-100,E['OUTSIDE'].encode()+b'/file',ctypes.byref(h),ctypes.byref(m),0)\nfd=l.open_by_handle_at(os.open('.',os.O_RDONLY),ctypes.byref(h),os.O_RDWR)\nos.write(fd,b'x')",
    ),
    "python3",
  ],
  ["the person's /tmp", "cat $HOST_TMP; ls -la /tmp; find /tmp /var/tmp /run -type f -exec cat {} +"],
  ["the parent's environment", "cat /proc/*/environ | tr '\\0' '\\n'; ps auxeww; env"],
  [
    "the parent's memory",
    python(
      "for p in os.listdir('/proc'):\n  if p.isdigit():\n    try: print(open('/proc/%s/mem'%p,'rb').read(1), open('/proc/%s/maps'%p).read(100))\n    except OSError: pass",
    ),
    "python3",
  ],
  ["inherited descriptors", "for f in /proc/self/fd/*; do readlink $f; timeout 1 cat $f/../outside/file; ls $f/ ; done; cat <&3; cat <&4"],
  ["history files", "cat ~/.bash_history"],
  [
    "kernel and devices",
    "cat /proc/kcore /dev/mem /dev/kmsg /proc/kmsg | head -c 100; ls /dev/sd* /dev/vd* /dev/nvme*; cat /dev/vda /dev/sda | head -c 10",
  ],
];

const privileges: Escape[] = [
  ["mount a tmpfs", "mount -t tmpfs x $OUTSIDE; mount --bind . $OUTSIDE"],
  ["mount proc again", "mkdir p; mount -t proc p p; cat p/1/environ"],
  ["unshare a user namespace", "unshare -Ur sh -c 'id; mount -t tmpfs x /mnt; echo x > $OUTSIDE/file'"],
  ["unshare everything", "unshare -rmpf --mount-proc sh -c 'mount -o remount,rw /; echo x > $OUTSIDE/file'"],
  ["chroot", "chroot /proc/1/root sh -c 'cat ~/.ssh/id_ed25519'; mkdir -p c; chroot c"],
  ["pivot_root", "mkdir -p n/o; pivot_root n n/o"],
  ["nsenter", "nsenter -t 1 -a sh -c 'cat ~/.ssh/id_ed25519'; nsenter --mount=/proc/1/ns/mnt cat ~/.ssh/id_ed25519"],
  ["device nodes", "mknod disk b 254 0; mknod mem c 1 1; cat disk mem | head -c 10; ls -la disk mem"],
  ["setuid programs", "su -c 'echo x > $OUTSIDE/file' </dev/null; sudo -n sh -c 'echo x > $OUTSIDE/file'; pkexec true"],
  ["setuid made here", "cp /bin/sh s; chown 0 s; chmod u+s s; ./s -p -c 'echo x > $OUTSIDE/file'"],
  ["kernel settings", "echo x > /proc/sys/kernel/hostname; echo 1 > /proc/sys/vm/drop_caches && echo REACHED"],
  ["core pattern", "f=/proc/sys/kernel/core_pattern; cat $f > /tmp/p; cat /tmp/p > $f && echo REACHED"],
  ["control groups", "mkdir /sys/fs/cgroup/x; echo 1 > /sys/fs/cgroup/release_agent; echo x > /sys/kernel/uevent_helper"],
  ["modules", "insmod x.ko; modprobe dummy; test -w /proc/sysrq-trigger && echo REACHED"],
  ["bubblewrap in bubblewrap", "bwrap --bind / / --dev /dev sh -c 'echo x > $OUTSIDE/file; cat ~/.ssh/id_ed25519'"],
  [
    "memfd program",
    python(
      "f=os.memfd_create('x'); os.write(f,b'#!/bin/sh\\necho x > $OUTSIDE/file; cat ~/.ssh/id_ed25519\\n'); os.execve('/proc/self/fd/%d'%f,['x'],dict(E))",
    ),
    "python3",
  ],
  ["oom score and priority", "echo -1000 > /proc/self/oom_score_adj; echo -1000 > /proc/1/oom_score_adj; renice -20 1"],
  ["clock and hostname", "date -s @$(date +%s) && echo REACHED; hostname x"],
  ["keyring", "keyctl show; keyctl link @u @s"],
  ["bpf and perf", python("l=ctypes.CDLL(None); print(l.syscall(321,0,0,0), l.syscall(298,0,0,-1,-1,0), l.syscall(425,1,0))"), "python3"],
];

const processesAndNetwork: Escape[] = [
  ["kill the parent", "kill -9 $PPID; kill -9 1; kill -9 $TEST_PID; kill -9 -$TEST_PID"],
  ["kill everything", "(trap '' TERM; kill -TERM -1); true"],
  ["ptrace the parent", "strace -p $TEST_PID -o t; gdb -p $TEST_PID -batch"],
  [
    "ptrace by syscall",
    python("l=ctypes.CDLL(None); print(l.ptrace(16,int(E['TEST_PID']),0,0), l.ptrace(16,1,0,0), os.waitpid(1,0), l.ptrace(17,1,0,0))"),
    "python3",
  ],
  [
    "read another process's memory",
    python(
      "l=ctypes.CDLL(None); b=ctypes.create_string_buffer(8)\nprint(l.syscall(310,int(E['TEST_PID']),ctypes.byref((ctypes.c_void_p*2)(ctypes.addressof(b),8)),1,ctypes.byref((ctypes.c_void_p*2)(0x400000,8)),1,0))",
    ),
    "python3",
  ],
  ["pidfd_getfd", python("l=ctypes.CDLL(None); p=l.syscall(434,int(E['TEST_PID']),0); print(p, l.syscall(438,p,3,0))"), "python3"],
  ["setsid daemon", "setsid sh -c 'sleep 30; echo x > $OUTSIDE/file' >/dev/null 2>&1 & true"],
  ["double fork daemon", "(nohup setsid sh -c 'trap \"\" HUP TERM INT; sleep 30' >/dev/null 2>&1 &) & true"],
  [
    "python daemon",
    python(
      "if os.fork()==0:\n  os.setsid()\n  if os.fork()==0:\n    for s in (1,2,15): signal.signal(s,signal.SIG_IGN)\n    time.sleep(30)\n  os._exit(0)",
    ),
    "python3",
  ],
  ["at, systemd-run, cron", "echo true | at now; systemd-run --user true; systemctl --user start x"],
  [
    "type into the terminal",
    python(
      "for p in ('/dev/tty','/dev/pts/0','/dev/console'):\n  try: fcntl.ioctl(os.open(p,os.O_RDWR),0x5412,b'x')\n  except OSError as e: print(e)\nfcntl.ioctl(0,0x5412,b'x')",
    ),
    "python3",
  ],
  ["console", "echo x > /dev/console; echo x > /dev/tty1; echo x > /dev/pts/0"],
  ["connect to loopback", "exec 5<>/dev/tcp/127.0.0.1/$LOOPBACK_PORT && echo hello >&5 && cat <&5"],
  ["connect to loopback by node", node("net.connect(+E.LOOPBACK_PORT, '127.0.0.1').on('error', console.error).end('x')"), "node"],
  [
    "connect to loopback by IPv6",
    "exec 5<>/dev/tcp/::1/$LOOPBACK_PORT && cat <&5; exec 5<>/dev/tcp/::ffff:127.0.0.1/$LOOPBACK_PORT && cat <&5",
  ],
  ["name service", 'getent hosts example.com; timeout 3 node -e \'require("dns").lookup("example.com", console.log)\''],
  [
    "any address",
    "timeout 2 bash -c 'exec 5<>/dev/tcp/192.0.2.1/80'; timeout 2 bash -c 'echo x > /dev/udp/192.0.2.1/53'; ip link; ping -c1 -W1 192.0.2.1",
  ],
  [
    "abstract socket",
    python("s=socket.socket(socket.AF_UNIX); s.connect('\\0'+E['ABSTRACT']); s.send(b'x'); print(s.recv(99))"),
    "python3",
  ],
  ["a socket in /tmp", python("s=socket.socket(socket.AF_UNIX); s.connect(E['UNIX_SOCKET']); s.send(b'x'); print(s.recv(99))"), "python3"],
  ["tmux of the person", "tmux -S $UNIX_SOCKET ls; tmux ls; tmux new -d 'echo x > $OUTSIDE/file'; ls /tmp/tmux-*"],
  ["raw socket", python("socket.socket(socket.AF_PACKET,socket.SOCK_RAW,3).send(b'x'*60)"), "python3"],
  ["netlink and vsock", python("s=socket.socket(40,socket.SOCK_STREAM); s.settimeout(1); s.connect((2,1024))"), "python3"],
  [
    "shared memory",
    python(
      "import multiprocessing.shared_memory as m\nfor n in os.listdir('/dev/shm'): print(open('/dev/shm/'+n,'rb').read(64))\nprint(open('/proc/sysvipc/shm').read())",
    ),
    "python3",
  ],
];

export const escapes: Escape[] = [...writesOutside, ...protectedInside, ...readsHidden, ...privileges, ...processesAndNetwork];
