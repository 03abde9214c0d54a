/**
 * Makes sharp part of a compiled executable.
 *
 * sharp's loader searches its addon on the disk, by computed names. In the bundle, the loader is replaced by a module
 * that embeds the addon and libvips, and passes them to `server/files/native-addon`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPO_ROOT } from './repo-root.ts'

const SHARP = join(REPO_ROOT, 'node_modules/sharp/dist')
const LOADER = /[\\/]sharp[\\/]dist[\\/]sharp\.cjs$/
const NATIVES = 'sharp:natives'
const NATIVE = /\.(node|dll|dylib)$|\.so\.[\d.]+$/
const VERSIONS = /[\\/]sharp[\\/]dist[\\/]utility\.cjs$/

/**
 * @param platform the ending of the names of these packages: `linux-x64`, `linuxmusl-arm64`
 * @param modules the node_modules with the native files
 * @throws Error if the packages of sharp for this platform are not installed
 */
export function sharpPlugin(platform: string, modules: string): Bun.BunPlugin {
  const packages = join(modules, '@img')
  const natives = nativeFiles(packages, platform)
  const versions = join(
    packageFolder(packages, nativePackages(platform).at(-1) ?? ''),
    'versions.json',
  )
  return {
    name: 'sharp',
    setup(build) {
      build.onResolve({ filter: /^sharp$/ }, () => ({ path: join(SHARP, 'index.cjs') }))
      build.onResolve({ filter: new RegExp(`^${NATIVES}$`) }, () => ({
        path: 'natives',
        namespace: 'sharp',
      }))
      build.onLoad({ filter: /^natives$/, namespace: 'sharp' }, () => ({
        loader: 'js',
        contents: nativesModule(packages, natives),
      }))
      build.onLoad({ filter: LOADER }, () => ({ loader: 'js', contents: LOADER_MODULE }))
      build.onLoad({ filter: VERSIONS }, async ({ path }) => ({
        loader: 'js',
        contents: withStaticVersions(await Bun.file(path).text(), versions),
      }))
    },
  }
}

const LOADER_MODULE = `
const { natives } = require('${NATIVES}')
const { loadAddon } = require(${JSON.stringify(join(REPO_ROOT, 'server/files/previews/native-addon.ts'))})
module.exports = loadAddon(natives)
`

/** The addon first, then libvips, with their paths in node_modules: the addon finds libvips by a relative path. */
function nativeFiles(packages: string, platform: string): string[] {
  const files = nativePackages(platform).flatMap((name) => {
    const library = join(packageFolder(packages, name), 'lib')
    const natives = readdirSync(library).filter((entry) => NATIVE.test(entry))
    if (natives.length === 0) throw new Error(`${library} contains no native file.`)
    return natives.map((file) => join(name, 'lib', file))
  })
  const isAddon = (path: string) => path.endsWith('.node')
  return [...files.filter(isAddon), ...files.filter((path) => !isAddon(path))]
}

/** The packages with the addon and with libvips; on Windows, one contains both. */
function nativePackages(platform: string): string[] {
  const addon = `sharp-${platform}`
  return platform.startsWith('win32') ? [addon] : [addon, `sharp-libvips-${platform}`]
}

function packageFolder(packages: string, name: string): string {
  const folder = join(packages, name)
  if (!existsSync(folder)) {
    throw new Error(`@img/${name} is not installed. Install it by npm with --os, --cpu and --libc.`)
  }
  return folder
}

function nativesModule(packages: string, natives: string[]): string {
  const rows = natives.map((path, index) => {
    const bytes = readFileSync(join(packages, path))
    const sha256 = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
    return `{ path: ${JSON.stringify(path)}, embedded: file${index}, sha256: '${sha256}' }`
  })
  const imports = natives.map((path, index) => {
    const from = JSON.stringify(join(packages, path))
    return `import file${index} from ${from} with { type: 'file' }`
  })
  return `${imports.join('\n')}\nexport const natives = [${rows.join(', ')}]\n`
}

/** sharp reads the versions of its libraries from packages whose names it computes at run time. */
function withStaticVersions(utility: string, versions: string): string {
  const computed = /require\(`@img\/sharp(-libvips)?-\$\{runtimePlatform\}\/versions`\)/g
  if (!computed.test(utility))
    throw new Error(
      'This version of sharp reads the versions of its libraries in another way. Adapt VERSIONS.',
    )
  return utility.replace(computed, `require(${JSON.stringify(versions)})`)
}
