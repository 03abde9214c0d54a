/** Jailed programs that may read only one file, such as those that make previews. */
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Isolation } from '#server/shell/isolation/policy.ts'
import { temporaryFolder } from '../../support/files/tree.ts'
import { jailed, makeJailFolders, startJailed } from '../../support/system/jail.ts'

setDefaultTimeout(30_000)

let folder: ReturnType<typeof temporaryFolder>
const top = (...names: string[]) => join(folder.path, 'top', ...names)

beforeEach(() => {
  folder = temporaryFolder()
  makeJailFolders(folder.path)
  writeFileSync(top('sub/-one: it.txt'), 'one\n')
  writeFileSync(top('sub/other.txt'), 'other\n')
  writeFileSync(top('above.txt'), 'above\n')
})
afterEach(() => folder.remove())

describe.each<Isolation>(['root', 'landlock'])(
  'with the isolation “%s”, a jailed program',
  (isolation) => {
    const run = (script: string, only = '-one: it.txt') =>
      jailed(folder.path, isolation, `{ ${script}; } 2>/dev/null; true`, { only })

    test('a picture program reads its file', async () => {
      expect((await run('pwd; cat "./-one: it.txt"')).out).toBe(`${top('sub')}\none\n`)
    })

    test('a picture program reads no other file', async () => {
      expect((await run('cat other.txt ../above.txt /etc/passwd')).out).toBe('')
      expect((await run('ls -A; ls -A ..')).out).toBe('')
      // In a private root, a program cannot even test whether another file exists.
      const known = await run('test -e other.txt && echo there; test -e ../above.txt && echo there')
      expect(known.out).toBe(isolation === 'root' ? '' : 'there\nthere\n')
    })

    test('a picture program writes nothing', async () => {
      const tmp = join(folder.path, 'tmp')
      await run(`echo x >> "./-one: it.txt"; echo x > new; echo x > ../new; echo x > ${tmp}/new`)
      await run(
        'rm -f "./-one: it.txt" other.txt; mv "./-one: it.txt" away; mkdir d; ln other.txt l',
      )
      expect(readdirSync(top('sub')).sort()).toEqual(['-one: it.txt', 'other.txt'])
      expect([readdirSync(top()).sort(), readdirSync(tmp)]).toEqual([['above.txt', 'sub'], []])
      expect(readFileSync(top('sub/-one: it.txt'), 'utf8')).toBe('one\n')
    })

    test('a jailed program for one file is not started for a link or a missing file', async () => {
      symlinkSync('../above.txt', top('sub/link'))
      for (const name of ['link', 'missing']) {
        const { code, out } = await jailed(folder.path, isolation, 'cat link', { only: name })
        expect([name, code, out]).toEqual([name, 125, ''])
      }
    })

    test('a jailed program also starts in the root folder', async () => {
      mkdirSync(top('own/deep'), { recursive: true })
      const change = { only: 'above.txt', folder: '/', hidden: ['/own/deep'] }
      expect((await jailed(folder.path, isolation, 'cat above.txt', change)).out).toBe('above\n')
    })
  },
)

describe('with a workspace, a jailed program', () => {
  const workspace = { only: 'above.txt', folder: '/', temporary: '/tmp', workspaceBytes: 2 ** 20 }
  const run = (script: string, isolation: Isolation = 'root') =>
    jailed(folder.path, isolation, script, workspace)

  test('a jailed program for pages writes temporary files up to the size of its workspace, which disappear with it', async () => {
    const outside = mkdtempSync('/tmp/filemgr-outside-')
    const [script, ending] = [
      'echo x > /tmp/a && cat /tmp/a above.txt',
      'head -c 2M /dev/zero > /tmp/b',
    ]
    const { out, code } = await run(`${script}; ls -d ${outside}; ${ending}`)
    expect([out, code]).toEqual(['x\nabove\n', 1])
    expect(existsSync('/tmp/a')).toBe(false)
    rmdirSync(outside)
  })

  test('a jailed program for pages writes nothing else', async () => {
    await run('echo x >> above.txt; echo x > new; rm -f above.txt')
    expect(readdirSync(top()).sort()).toEqual(['above.txt', 'sub'])
    expect(readFileSync(top('above.txt'), 'utf8')).toBe('above\n')
  })

  test('a jailed program for pages reaches only its own unix sockets, and not the network', async () => {
    const path = join(folder.path, 'top/outside.sock')
    const socket = { data: () => undefined }
    const outside = Bun.listen({ unix: path, socket })
    const abstract = Bun.listen({ unix: '\0filemgr-outside', socket })
    const tcp = Bun.listen({ hostname: '127.0.0.1', port: 0, socket })
    try {
      const script = `perl - <<'END'
use Socket;
sub attempt {
  my ($what, $family, $address) = @_;
  my $made = socket(my $socket, $family, SOCK_STREAM, 0);
  print $what, $made && connect($socket, $address) ? " connected\\n" : " refused\\n";
}
socket(my $own, AF_UNIX, SOCK_STREAM, 0);
bind($own, pack_sockaddr_un('/tmp/own')) or die;
listen($own, 1);
attempt('own', AF_UNIX, pack_sockaddr_un('/tmp/own'));
attempt('named', AF_UNIX, pack_sockaddr_un('${path}'));
attempt('abstract', AF_UNIX, pack_sockaddr_un("\\0filemgr-outside"));
attempt('tcp', AF_INET, pack_sockaddr_in(${tcp.port}, inet_aton('127.0.0.1')));
END`
      const { out } = await run(script)
      expect(out).toBe('own connected\nnamed refused\nabstract refused\ntcp refused\n')
      // Outside the jail the sockets can be reached.
      expect(Bun.spawnSync(['sh', '-c', script]).stdout.toString()).toContain('abstract connected')
    } finally {
      for (const listener of [outside, abstract, tcp]) listener.stop(true)
      rmSync('/tmp/own', { force: true })
    }
  })

  // Before Linux 6.12, Landlock does not separate abstract sockets.
  test('a jailed program for pages has its own network namespace', async () => {
    const program = startJailed(folder.path, 'root', 'echo ready; exec sleep 60', workspace)
    try {
      for await (const _ of program.stdout) break
      const namespaceOf = (pid: number) => readlinkSync(`/proc/${pid}/ns/net`)
      expect(namespaceOf(program.pid)).not.toBe(namespaceOf(process.pid))
    } finally {
      program.kill('SIGKILL')
      await program.exited
    }
  })

  test('a jailed program for pages is not started without a private root', async () => {
    expect((await run('echo started', 'landlock')).out).toBe('')
  })
})
