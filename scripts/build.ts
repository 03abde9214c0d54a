/**
 * Builds the executable: build [--target NAME]... [--same-interface]
 *
 * Without a target: dist/filemgr for this machine. With targets: dist/filemgr-NAME for each.
 * With --same-interface, the executables get the interface of the last build.
 * A rename publishes each executable when it is complete, so an interrupted build leaves the old one.
 */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build as buildWithVite } from 'vite'
import { codecPlugin } from './codec-plugin.ts'
import { writeIcons } from './icons.ts'
import { signAdHoc, signatureFault } from './mach-o.ts'
import { ensureManifest, writeManifest } from './manifest.ts'
import { nativeModules } from './native-packages.ts'
import { REPO_ROOT } from './repo-root.ts'
import { writeSbom } from './sbom.ts'
import { writeServiceWorker } from './service-worker.ts'
import { sharpPlugin } from './sharp-plugin.ts'
import { endingOf, hostTarget, targetNamed } from './targets.ts'

const DIST = join(REPO_ROOT, 'dist')

/** The executable runs only the code that it contains: none from the disk, from strings or from settings files of Bun. */
const SEALED = {
  autoloadBunfig: false,
  autoloadDotenv: false,
  autoloadPackageJson: false,
  autoloadTsconfig: false,
  execArgv: ['--disallow-code-generation-from-strings=strict', '--no-install'],
}

// package.json is ours: both are strings.
const { name, version } = (await Bun.file(join(REPO_ROOT, 'package.json')).json()) as Record<
  'name' | 'version',
  string
>
const { values } = parseArgs({
  options: {
    target: { type: 'string', multiple: true },
    'same-interface': { type: 'boolean', default: false },
  },
})
const outputs = (values.target ?? []).map((target) => [target, join(DIST, `${name}-${target}`)])
if (outputs.length === 0) outputs.push([hostTarget(), join(DIST, name)])

// The build creates its folders and the first manifest before it notes the time of its start. start.mjs builds again if a
// source folder has changed since that time.
mkdirSync(DIST, { recursive: true })
mkdirSync(join(REPO_ROOT, 'ui/dist'), { recursive: true })
await ensureManifest()
const startedAt = new Date()

if (!values['same-interface']) {
  progress('Building the interface')
  await writeManifest(await buildInterface())
}
for (const [target = '', outfile = ''] of outputs) {
  progress(`Building ${outfile}`)
  await compile(target, outfile)
  await writeSbom(`${outfile}.cdx.json`, name, version, targetNamed(target))
}

/** @returns the files whose names contain a hash of their content, relative to ui/dist */
async function buildInterface(): Promise<Set<string>> {
  const built = await buildWithVite({ root: join(REPO_ROOT, 'ui'), logLevel: 'warn' })
  const chunks = [built].flat().flatMap((part) => ('output' in part ? part.output : []))
  await writeIcons()
  await writeServiceWorker(chunks)
  return new Set(chunks.map(({ fileName }) => fileName))
}

/** @throws Error for an unknown target, or one whose native files are not installed. */
async function compile(targetName: string, outfile: string): Promise<void> {
  const target = targetNamed(targetName)
  const modules = nativeModules(targetName, target)
  // The executable contains the file name of its build, so only the folder is temporary.
  const staging = mkdtempSync(join(DIST, '.build-'))
  const staged = join(staging, name + endingOf(target))
  try {
    await Bun.build({
      entrypoints: [join(REPO_ROOT, 'cli/main.ts'), ...workers()],
      root: REPO_ROOT,
      target: 'bun',
      format: 'esm',
      minify: { whitespace: true, syntax: true, identifiers: true, keepNames: true },
      sourcemap: 'linked',
      bytecode: true,
      // A start loads only the modules that it needs.
      splitting: true,
      define: {
        FILEMGR_VERSION: JSON.stringify(version),
        FILEMGR_COMMIT: JSON.stringify(commit()),
      },
      plugins: [sharpPlugin(target.sharp, modules), codecPlugin(target.napi, modules)],
      compile: { ...SEALED, target: target.bun, outfile: staged },
    })
    if (target.os === 'darwin') sign(staged)
    chmodSync(staged, 0o755)
    utimesSync(staged, startedAt, startedAt)
    renameSync(staged, outfile + endingOf(target))
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

/** Bun signs executables for arm64. For x64 it leaves the signature of its own, without the program in it. */
function sign(executable: string): void {
  const bytes = readFileSync(executable)
  if (signatureFault(bytes)) writeFileSync(executable, signAdHoc(bytes, name))
}

/** The files of the workers. An executable can only start a worker that was an entry point of the build. */
function workers(): string[] {
  return [...new Bun.Glob('server/**/*-worker.ts').scanSync({ cwd: REPO_ROOT, absolute: true })]
}

/** The commit of the checkout, with `-modified` if files differ from it; `unknown` outside of a checkout. */
function commit(): string {
  // The container of the build may have no git.
  if (!Bun.which('git')) return 'unknown'
  const git = (...args: string[]) => Bun.spawnSync(['git', ...args], { cwd: REPO_ROOT })
  const head = git('rev-parse', '--short=12', 'HEAD')
  if (!head.success) return 'unknown'
  const isModified = git('status', '--porcelain').stdout.length > 0
  return `${head.stdout.toString().trim()}${isModified ? '-modified' : ''}`
}

function progress(line: string): void {
  process.stderr.write(`${line}\n`)
}
