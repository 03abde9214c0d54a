/** The examples of services: OpenRC starts its service, and systemd checks its unit. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPO_ROOT } from '../support/server/executable.ts'
import { openrcSystem } from '../support/server/openrc.ts'
import { freePort } from '../support/server/ports.ts'
import { type Installed, install } from './installed.ts'

const EXAMPLES = join(REPO_ROOT, 'docs/examples')
let installed: Installed
beforeAll(() => {
  installed = install()
})
afterAll(() => installed.remove())

/** The commands in the comment at the top of an example. */
const installCommands = (name: string) =>
  [...readFileSync(join(EXAMPLES, name), 'utf8').matchAll(/^# {3}(.*)$/gm)].map(([, line]) => line)

describe.skipIf(!Bun.which('systemd-analyze'))('systemd', () => {
  const analyze = (...args: string[]) => {
    // systemd-analyze requires that the program of the unit exists.
    const file = join(installed.makeFolder('systemd'), 'filemgr.service')
    const unit = readFileSync(join(EXAMPLES, 'filemgr.service'), 'utf8')
    writeFileSync(file, unit.replaceAll('/usr/local/bin/filemgr', installed.executable))
    const { exitCode, stderr } = Bun.spawnSync(['systemd-analyze', ...args, file])
    return [exitCode, stderr.toString()]
  }

  test('systemd accepts each line of the unit', () => {
    expect(analyze('verify', '--man=no')).toEqual([0, ''])
  })

  test('systemd rates the exposure of the unit at 3.0 or less', () => {
    expect(analyze('security', '--offline=true', '--threshold=30')).toEqual([0, ''])
  })

  test('the install commands of the unit create the manual page that it names', () => {
    expect(installCommands('filemgr.service').join('\n')).toContain('filemgr man > ')
  })
})

describe('OpenRC', () => {
  /** A script that installs and uses the service in the system with OpenRC. */
  const script = (port: number) => `
set -e
sed 's/8080/${port}/' -i config.yaml
install -m 755 ../filemgr /usr/local/bin/filemgr
groupadd -r filemgr
useradd --system -g filemgr --home-dir /var/lib/filemgr --shell /usr/sbin/nologin filemgr
${installCommands('filemgr.openrc')
  .filter((line) => line?.startsWith('install '))
  .join('\n')}
healthy() { curl -sf http://127.0.0.1:${port}/health > /dev/null; }
awaited() { until "$@"; do sleep 0.1; done; }
processOf() { pgrep -u filemgr -x filemgr; }
reported() { grep -q "$1" /var/log/filemgr.log; }
rc-update -q add filemgr
rc-service -q filemgr start
awaited healthy
rc-service filemgr status
test -d /var/cache/filemgr/previews || su -s /bin/sh filemgr -c 'filemgr doctor' | grep -q /var/cache/filemgr/previews
echo "log $(stat -c '%U %a' /var/log/filemgr.log)"
awaited reported 'Administrator admin, password: '

echo 'branding.name: Ours' >> /etc/filemgr/config.yaml
rc-service -q filemgr reload
awaited reported 'Changed: branding.name'

old=$(processOf)
kill -KILL "$old"
restarted() { new=$(processOf) && test "$new" != "$old" && healthy; }
awaited restarted
rc-service filemgr status

rc-service -q filemgr restart
awaited healthy
rc-service -q filemgr stop
! processOf
rc-service filemgr status || echo "code $?"
`
  test('the OpenRC service starts, reloads its configuration, restarts after a crash, and stops', async () => {
    const folder = installed.makeFolder('openrc')
    const system = openrcSystem(folder)
    // Without the packages of OpenRC, or without the right to mount, nothing can be tested.
    if (!system) return
    cpSync(EXAMPLES, join(folder, 'examples'), { recursive: true })
    copyFileSync(installed.executable, join(folder, 'filemgr'))
    const { code, output } = await system.run(`cd examples\n${script(await freePort())}`)
    const lines = output.split('\n').filter((line) => !line.includes('non existent service'))
    expect([code, lines.join('\n')]).toEqual([
      0,
      [
        ' * status: started',
        'log filemgr 640',
        ' * status: started',
        ' * status: stopped',
        'code 3',
        '',
      ].join('\n'),
    ])
  }, 60_000)
})
