/**
 * A system with OpenRC: this machine's files below the packages of OpenRC, in its own namespaces. Nothing is installed
 * on the machine, and what a script changes is gone when it ends.
 */
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** What Debian's package `openrc` consists of. */
const PACKAGES = ['openrc', 'insserv', 'librc1', 'libeinfo1']
/** OpenRC keeps the states of services here. The first start of the system creates them. */
const STATES = [
  ...['starting', 'started', 'stopping', 'inactive', 'wasinactive', 'failed', 'hotplugged'],
  ...['daemons', 'options', 'exclusive', 'scheduled', 'tmp'],
]

export interface OpenrcSystem {
  /** Runs a script as root. The folder `shared` is the same inside. */
  run(script: string): Promise<{ code: number; output: string }>
}

/**
 * @param folder will contain the unpacked packages
 * @returns undefined if this account may not mount, or the system's package source has no OpenRC
 */
export function openrcSystem(folder: string): OpenrcSystem | undefined {
  if (process.getuid?.() !== 0 || !Bun.which('apt-get')) return undefined
  const packages = join(folder, 'packages')
  mkdirSync(packages, { recursive: true })
  if (!unpack(folder, packages)) return undefined
  const system = { run: (script: string) => run(folder, packages, script) }
  const canMount = Bun.spawnSync(inNamespaces(enter(folder, packages), 'true')).success
  return canMount ? system : undefined
}

function unpack(folder: string, packages: string): boolean {
  const download = ['apt-get', 'download', '-qq', ...PACKAGES]
  if (!Bun.spawnSync(download, { cwd: folder, stderr: 'ignore' }).success) return false
  const files = readdirSync(folder).filter((name) => name.endsWith('.deb'))
  for (const file of files) Bun.spawnSync(['dpkg', '-x', join(folder, file), packages])
  // A folder `/sbin` would hide the link `/sbin` of the machine.
  for (const name of ['bin', 'sbin', 'lib'].filter((name) => readdirSync(packages).includes(name)))
    merge(join(packages, name), join(packages, 'usr', name))
  return files.length === PACKAGES.length
}

function merge(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) merge(source, target)
    else renameSync(source, target)
  }
  rmSync(from, { recursive: true, force: true })
}

function enter(folder: string, packages: string): string {
  const [layers, top] = [join(folder, 'layers'), join(folder, 'top')]
  return `
mkdir -p ${layers} ${top}
mount -t tmpfs none ${layers}
mkdir ${layers}/changes ${layers}/work ${layers}/shared
cp -a ${packages} ${layers}/packages
mount -t overlay -o lowerdir=${layers}/packages:/,upperdir=${layers}/changes,workdir=${layers}/work none ${top}
mount -t proc proc ${top}/proc
mount --rbind /dev ${top}/dev
mount -t tmpfs none ${top}/run
mkdir -p ${top}/shared ${top}/etc/runlevels/default ${top}/run/openrc
mount --bind ${folder} ${top}/shared
cd ${top}/run/openrc
mkdir ${STATES.join(' ')}
echo default > softlevel
exec chroot ${top} sh -c "$1"`
}

function inNamespaces(script: string, argument: string): string[] {
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--propagation', 'private']
  return ['unshare', ...namespaces, 'sh', '-ec', script, 'sh', argument]
}

async function run(folder: string, packages: string, script: string) {
  const command = inNamespaces(enter(folder, packages), `cd /shared && { ${script}\n} 2>&1`)
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' })
  const output = await new Response(child.stdout).text()
  return { code: await child.exited, output }
}
