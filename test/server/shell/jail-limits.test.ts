/** The system calls that a jailed program may make, and the limits of its resources. */
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CallName, numberOf } from '#server/os/call-numbers.ts'
import { findParentCgroup, groupName, removeGroup } from '#server/shell/isolation/pids-cgroup.ts'
import type { Isolation, Policy } from '#server/shell/isolation/policy.ts'
import { processesOf, programsOf } from '#server/shell/processes.ts'
import { temporaryFolder } from '../../support/files/tree.ts'
import {
  type JailOptions,
  jailed,
  makeJailFolders,
  ORDINARY_USER,
  startJailed,
} from '../../support/system/jail.ts'

setDefaultTimeout(30_000)

const SUPERUSER = process.geteuid?.() === 0
const [EPERM, ESRCH, ENOSYS] = [1, 3, 38]
const SET_IDS = 0o6000

let folder: ReturnType<typeof temporaryFolder>

beforeEach(() => {
  folder = temporaryFolder()
  makeJailFolders(folder.path)
})
afterEach(() => folder.remove())

const out = async (isolation: Isolation, script: string, options?: JailOptions) =>
  (await jailed(folder.path, isolation, script, options)).out
const perl = (isolation: Isolation, code: string, options?: JailOptions) =>
  out(isolation, `perl -e '${code}'`, options)
/** Perl code for a system call that prints its result, or its errno with a minus. */
const systemCall = (name: CallName, ...args: (number | string)[]) => {
  // Perl refuses literals as arguments, because a system call might write to them.
  const words = args.map((one) =>
    String(one).startsWith('"') ? `(my $s${++literals} = ${one})` : one,
  )
  return `$r = syscall(${[numberOf(name), ...words].join(', ')}); print $r < 0 ? -($!+0) : $r, " ";`
}
let literals = 0
/** The set of processors that contains only the first, in the kernel's format. */
const CPU_0 = '"\\1" . "\\0" x 7'
const known = (name: CallName) => numberOf(name) >= 0

describe.each<Isolation>(['root', 'landlock'])('with the isolation “%s”', (isolation) => {
  test('a jailed program cannot set the set-user-ID and set-group-ID bits of a file', async () => {
    const here = join(folder.path, 'top/sub')
    const calls: [CallName, ...(number | string)[]][] = [
      ['chmod', '"f"', 0o4755],
      ['fchmod', 'fileno(F)', 0o4755],
      ['fchmodat', -100, '"f"', 0o2755],
      ['fchmodat2', -100, '"f"', 0o4755, 0],
      ['creat', '"made1"', 0o4755],
      ['open', '"made2"', 0o101, 0o4755],
      ['openat', -100, '"made3"', 0o101, 0o2755],
      ['openat', -100, '"."', 0o20200001, 0o4755],
      ['mknod', '"made4"', 0o104755, 0],
      ['mknodat', -100, '"made5"', 0o104755, 0],
      ['mkdir', '"made6"', 0o2755],
      ['mkdirat', -100, '"made7"', 0o2755],
    ]
    writeFileSync(join(here, 'f'), 'f')
    const knownCalls = calls.filter(([name]) => known(name))
    const code = `open(F, "+<", "f"); ${knownCalls.map((call) => systemCall(...call)).join(' ')}`
    expect((await perl(isolation, code)).trim().split(' ')).toEqual(
      knownCalls.map(() => String(-EPERM)),
    )
    expect(readdirSync(here)).toEqual(['f'])
    expect(statSync(join(here, 'f')).mode & SET_IDS).toBe(0)
  })

  test('a jailed program can create and open files and change their modes', async () => {
    const code = [
      'sysopen(F, "made", 0101, 0640); syswrite(F, "x"); chmod 0600, "made";',
      'mkdir "d", 0750; chdir "d"; print -d "." ? "in" : "out";',
      // Without O_CREAT the argument for the mode is ignored.
      systemCall('openat', -100, '"../made"', 0, 0o6777),
    ].join(' ')
    const answer = await perl(
      isolation,
      isolation === 'root' ? code : code.replace('chmod 0600, "made";', ''),
    )
    expect(answer).toMatch(/^in\d+ $/)
  })

  test('a system call whose flags cannot be filtered is missing, and programs use the older one', async () => {
    const code = `$b = "\\0" x 88; ${systemCall('openat2', -100, '"."', '$b', 24)} ${systemCall('clone3', '$b', 88)}`
    expect(await perl(isolation, code)).toBe(`${-ENOSYS} ${-ENOSYS} `)
  })

  test('a jailed program can neither allocate memory outside its processes nor enlarge a pipe', async () => {
    const calls: [CallName, ...(number | string)[]][] = [
      ['memfd_create', '"m"', 0],
      ['memfd_secret', 0],
      ['shmget', 0, 4096, 0o1600],
      ['msgget', 0, 0o1600],
      ['semget', 0, 1, 0o1600],
      ['mq_open', '"m"', 0o102, 0o600, 0],
    ]
    const pipe = `pipe(R, W); ${systemCall('fcntl', 'fileno(W)', 1031, 1 << 20)}`
    const code = `${calls.map((call) => systemCall(...call)).join(' ')} ${pipe}`
    expect(await perl(isolation, code)).toBe(`${`${-ENOSYS} `.repeat(calls.length)}${-EPERM} `)
  })

  test('a jailed program can create no child of the supervisor, and none in new namespaces', async () => {
    const flags = [0x8000, 0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000]
    const code = [...flags, 0x40000000]
      .map((flag) => systemCall('clone', flag | 17, 0, 0, 0, 0))
      .join(' ')
    expect(await perl(isolation, code)).toBe(`${-EPERM} `.repeat(8))
  })

  test('a jailed program can change limits and priorities only of its own process', async () => {
    const own = [
      systemCall('prlimit64', 0, 7, 0, '$b'),
      systemCall('setpriority', 0, 0, 19),
      systemCall('ioprio_set', 1, 0, 0x6000),
      systemCall('sched_setaffinity', 0, 8, CPU_0),
    ]
    const child = '$p = fork(); if ($p == 0) { sleep 20; exit }'
    const calls: [CallName, ...(number | string)[]][] = [
      ['prlimit64', '$p', 7, 0, '$b'],
      ['setpriority', 0, '$p', 5],
      ['setpriority', 1, 0, 5],
      ['setpriority', 2, 0, 5],
      ['ioprio_set', 1, '$p', 0x6000],
      ['ioprio_set', 2, 0, 0x6000],
      ['sched_setaffinity', '$p', 8, CPU_0],
      ['sched_setscheduler', '$p', 3, '$b'],
      ['sched_setparam', '$p', '$b'],
      ['sched_setattr', '$p', '$b', 0],
      ['migrate_pages', '$p', 0, 0, 0],
      ['move_pages', '$p', 0, 0, 0, 0, 0],
      ['get_robust_list', '$p', '$b', '$b'],
    ]
    const code = `$b = "\\0" x 64; ${own.join(' ')} ${child} ${calls.map((call) => systemCall(...call)).join(' ')} kill 9, $p`
    const { out, ...ended } = await jailed(folder.path, isolation, `perl -e '${code}'`)
    expect(ended).toEqual({ err: '', code: 0, signal: undefined })
    const answer = out.trim().split(' ').map(Number)
    expect(answer.slice(0, own.length).every((result) => result >= 0)).toBe(true)
    expect(answer.slice(own.length)).toEqual(calls.map(() => -EPERM))
  })

  // Without the filter most of these calls would fail with another errno. Those that mount, and those on keys, also need
  // capabilities that a jailed program does not have.
  test('a program can neither access another process nor take the watches of the account', async () => {
    const calls: [CallName, ...(number | string)[]][] = [
      ['ptrace', 0, 0, 0, 0],
      ['process_vm_readv', '$$', 0, 0, 0, 0, 0],
      ['process_vm_writev', '$$', 0, 0, 0, 0, 0],
      ['process_madvise', -1, 0, 0, 0, 0],
      ['process_mrelease', -1, 0],
      ['pidfd_getfd', -1, 0, 0],
      ['kcmp', '$$', '$$', 99, 0, 0],
      ['io_uring_setup', 0, 0],
      ['perf_event_open', 0, 0, -1, -1, 1],
      ['userfaultfd', -1],
      ['bpf', 99, 0, 0],
      ['unshare', 0x200],
      ['setns', -1, 0],
      ['keyctl', 99, 0, 0],
      ['add_key', 0, 0, 0, 0, 0],
      ['request_key', 0, 0, 0, 0],
      ['open_by_handle_at', -1, 0, 0],
      ['fsopen', 0, 0xff],
      ['open_tree', -1, '"x"', 0],
      ['move_mount', -1, '""', -1, '""', 0xffff],
      ['inotify_init1', 0],
      ['fanotify_init', 0xffff, 0],
    ]
    const code = calls.map((call) => systemCall(...call)).join(' ')
    expect((await perl(isolation, code)).trim().split(' ')).toEqual(calls.map(() => String(-EPERM)))
  })

  test('a jailed program can neither signal nor limit the server', async () => {
    const code = `print kill(0, ${process.pid}) ? "reached" : -($!+0), " "; ${systemCall('prlimit64', process.pid, 7, 0, '"x" x 16')}`
    const [killed, limited] = (await perl(isolation, code)).trim().split(' ').map(Number)
    expect(limited).toBe(-EPERM)
    expect([-ESRCH, -EPERM]).toContain(killed ?? 0)
    if (isolation === 'root') expect(killed).toBe(-ESRCH)
  })

  test('the limits of a jailed program are those of its policy, and cannot be raised', async () => {
    const limits = { cpuSec: 7, memoryBytes: 2 ** 28, processes: 64, fileBytes: 2 ** 20 }
    const script =
      'ulimit -t; ulimit -d; ulimit -f; ulimit -n; ulimit -H -c; ulimit -n 2000 || echo no'
    const answer = (await out(isolation, script, { limits })).split('\n')
    // In seconds, KiB, blocks of 512 bytes, descriptors, blocks.
    expect(answer).toEqual(['7', String(2 ** 18), String(2 ** 11), '256', '0', 'no', ''])
  })

  test('the environment of a jailed program is that of its policy', async () => {
    expect(await out(isolation, 'env', { env: { PATH: '/usr/bin:/bin', A: 'b' } })).toMatch(
      /^(PATH=\/usr\/bin:\/bin|A=b|PWD=\S+)\n(PATH=\/usr\/bin:\/bin|A=b|PWD=\S+)\n(PATH=\/usr\/bin:\/bin|A=b|PWD=\S+)\n$/,
    )
  })

  test('the jail ends with the code or the signal of the program', async () => {
    expect(await jailed(folder.path, isolation, 'exit 7')).toMatchObject({ code: 7 })
    expect(await jailed(folder.path, isolation, 'kill -TERM $$')).toMatchObject({
      signal: 'SIGTERM',
    })
  })

  test.skipIf(!SUPERUSER)(
    'a jailed program of root has only the capabilities on files',
    async () => {
      const bounding = `print join(",", grep { syscall(${numberOf('prctl')}, 23, $_, 0, 0, 0) == 1 } 0..40), " ";`
      const sets = `$h = pack("LL", 0x20080522, 0); $s = "\\0" x 24; syscall(${numberOf('capget')}, $h, $s); print join(",", unpack("L6", $s));`
      // CAP_CHOWN, CAP_DAC_OVERRIDE and CAP_FOWNER: effective, permitted, inheritable, twice.
      expect(await perl(isolation, bounding + sets)).toBe('0,1,3 11,11,0,0,0,0')
      writeFileSync(join(folder.path, 'top/sub/set'), 'x', { mode: 0o755 })
      await Bun.$`chmod 4755 ${join(folder.path, 'top/sub/set')}`
      await out(isolation, 'echo more >> set')
      expect(statSync(join(folder.path, 'top/sub/set')).mode & SET_IDS).toBe(0)
    },
  )
})

describe('the processes of a jail', () => {
  test('a program sees no processes but those of its own jail', async () => {
    expect(await out('root', 'echo $$ $PPID; kill -0 1 && echo init')).toBe('2 0\ninit\n')
  })

  test('the processes of a jail end with the server, even if it is killed', async () => {
    const mark = `sleep 54${process.pid}`
    const start = `
      const { startJailed } = await import(${JSON.stringify(join(import.meta.dir, '../../support/system/jail.ts'))})
      startJailed(${JSON.stringify(folder.path)}, 'root', '${mark} & (${mark} &) ; ${mark}')
      setInterval(() => {}, 1000)`
    const server = Bun.spawn([process.execPath, '-e', start], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const asleep = async () =>
      (await Bun.$`ps -eo args`.text()).split('\n').filter((line) => line === mark).length
    while ((await asleep()) < 3) await Bun.sleep(20)
    server.kill('SIGKILL')
    while ((await asleep()) > 0) await Bun.sleep(20)
  })

  test('the processes of a jail are distinguished from other processes', async () => {
    const child = startJailed(folder.path, 'root', 'echo on; sleep 20 & sleep 20')
    const reader = child.stdout.getReader()
    await reader.read()
    while (processesOf(child.pid).length < 5) await Bun.sleep(10)
    // The supervisor and the init; the shell and its two `sleep`.
    expect([processesOf(child.pid).length, programsOf(child.pid, true).length]).toEqual([5, 3])
    child.kill('SIGKILL')
    await child.exited
  })

  test('stopped processes of a jail continue, because no process could wake them', async () => {
    expect(await jailed(folder.path, 'root', 'kill -STOP $$; echo on')).toMatchObject({
      out: 'on\n',
      code: 0,
    })
  })
})

/** Starts processes that sleep until the system refuses one, and prints their number. Without a limit it stops at 200. */
const FORK_MANY = `$n = 0; while ($n < 200) { $p = fork(); if (!defined $p) { last } if ($p == 0) { sleep 20; exit } $n++; push @p, $p } print $n; kill 9, @p;`
const FEW: Policy['limits'] = { cpuSec: 10, memoryBytes: 2 ** 29, processes: 40, fileBytes: 0 }

describe('the number of processes', () => {
  const groups = SUPERUSER ? findParentCgroup() : undefined

  test.skipIf(groups === undefined)(
    'the number of processes of root is limited by a control group',
    async () => {
      const group = groupName(groups ?? '', 'test')
      // The shell and Perl count, too.
      expect(await perl('root', FORK_MANY, { limits: FEW, group })).toBe('38')
      await removeGroup(group)
      expect(readdirSync(groups ?? '')).not.toContain(`filemgr-${process.pid}-test`)
    },
  )

  test.skipIf(groups === undefined)('the cgroup of a server that was killed is removed', () => {
    const stale = join(groups ?? '', 'filemgr-999999999-x')
    mkdirSync(stale)
    findParentCgroup()
    expect(readdirSync(groups ?? '')).not.toContain('filemgr-999999999-x')
  })

  const ordinary = SUPERUSER ? ORDINARY_USER : undefined
  test('the number of processes of an ordinary user is limited for each jail separately', async () => {
    makeJailFolders(folder.path, ordinary)
    const options = { limits: FEW, ...(ordinary === undefined ? {} : { user: ordinary }) }
    const two = await Promise.all([
      perl('root', FORK_MANY, options),
      jailed(folder.path, 'root', 'true', { ...options, newRoot: join(folder.path, 'tmp') }),
    ])
    expect(two[0]).toBe('38')
  })
})

test.skipIf(!SUPERUSER)('the program of an ordinary account works in the same jail', async () => {
  makeJailFolders(folder.path, ORDINARY_USER)
  const script =
    'echo new > made; cat made; kill -0 1 && echo init; id -u; ls /etc/passwd; chmod 4755 made'
  const { out } = await jailed(folder.path, 'root', script, { user: ORDINARY_USER })
  expect(out).toBe(`new\ninit\n${ORDINARY_USER}\n`)
  const other = await jailed(folder.path, 'landlock', 'cat made; cat /etc/passwd', {
    user: ORDINARY_USER,
  })
  expect(other.out).toBe('new\n')
  expect(statSync(join(folder.path, 'top/sub/made')).mode & SET_IDS).toBe(0)
})
