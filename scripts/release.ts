/**
 * `npm run release [-- TARGET...]`: builds an executable for each platform in dist/release, with its software bill of
 * materials (SBOM) and with checksums, and tests those that run on this machine.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { signatureFault } from './mach-o.ts'
import { REPO_ROOT } from './repo-root.ts'
import { smokeTest } from './smoke.ts'
import { endingOf, hostTarget, muslLoader, TARGETS, targetNamed } from './targets.ts'

const RELEASE = join(REPO_ROOT, 'dist/release')

// package.json is ours: both are strings.
const { name, version } = JSON.parse(
  readFileSync(join(REPO_ROOT, 'package.json'), 'utf8'),
) as Record<'name' | 'version', string>
const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(TARGETS)
const unknown = wanted.filter((target) => !TARGETS[target])
if (unknown.length > 0) {
  console.error(`No such target: ${unknown.join(', ')}. ${Object.keys(TARGETS).join(', ')}`)
  process.exit(2)
}
await run([
  process.execPath,
  'scripts/build.ts',
  ...wanted.flatMap((target) => ['--target', target]),
])

rmSync(RELEASE, { recursive: true, force: true })
mkdirSync(RELEASE, { recursive: true })
const files = wanted.sort().flatMap((target) => {
  const released = releasedName(target)
  return [endingOf(targetNamed(target)), '.cdx.json'].map((ending) => {
    copyFileSync(
      join(REPO_ROOT, 'dist', `${name}-${target}${ending}`),
      join(RELEASE, released + ending),
    )
    return released + ending
  })
})
const sums = files.map((file) => {
  const bytes = readFileSync(join(RELEASE, file))
  return `${new Bun.CryptoHasher('sha256').update(bytes).digest('hex')}  ${file}`
})
// In the format of `sha256sum --check`.
writeFileSync(join(RELEASE, 'SHA256SUMS'), `${sums.join('\n')}\n`)

for (const target of wanted) {
  const executable = join(RELEASE, releasedName(target))
  const program = programOf(target, executable)
  if (targetNamed(target).os === 'darwin') requireSignature(target, executable)
  if (!program) console.log(`${target} was not tested: it does not run on this machine.`)
  else await smokeTest(program)
}
for (const file of [...files, 'SHA256SUMS']) {
  console.log(`${String(statSync(join(RELEASE, file)).size).padStart(11)}  dist/release/${file}`)
}

function releasedName(target: string): string {
  return `${name}-${version}-${target}`
}

/**
 * The command line that runs a target's executable on this machine: the executable itself for this machine's own target and, where the linker and
 * the libraries of musl are installed, for musl; QEMU for arm64 where it is installed with a C library (Debian:
 * qemu-user-static libstdc++6-arm64-cross; for musl the linker and libstdc++ below /usr/aarch64-linux-musl).
 *
 * @returns undefined if it cannot run
 */
function programOf(target: string, executable: string): string[] | undefined {
  const { os, cpu, libc } = targetNamed(target)
  if (target === hostTarget()) return [executable]
  if (os !== 'linux') return undefined
  if (cpu === process.arch) {
    // It fails when a library is missing (Alpine: libstdc++).
    const loader = muslLoader(cpu)
    const isPossible = existsSync(loader) && Bun.spawnSync([loader, '--list', executable]).success
    return isPossible ? [executable] : undefined
  }
  const qemu = Bun.which('qemu-aarch64-static') ?? Bun.which('qemu-aarch64')
  const libraries = `/usr/aarch64-linux-${libc === 'musl' ? 'musl' : 'gnu'}`
  const isPossible = cpu === 'arm64' && qemu !== null && existsSync(libraries)
  return isPossible ? [qemu, '-L', libraries, executable] : undefined
}

function requireSignature(target: string, executable: string): void {
  const fault = signatureFault(readFileSync(executable))
  if (!fault) return
  console.error(`macOS would not start ${target}: ${fault}`)
  process.exit(1)
}

async function run(args: string[]): Promise<void> {
  const child = Bun.spawn(args, { cwd: REPO_ROOT, stdio: ['ignore', 'inherit', 'inherit'] })
  if ((await child.exited) !== 0) process.exit(1)
}
