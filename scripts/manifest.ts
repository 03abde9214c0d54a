/**
 * Writes server/web/manifest.gen.ts from ui/dist: each file of the built interface and its compressed variants, as imports
 * that `bun build --compile` embeds.
 *
 * The imported files are copies in dist/embed, named by a hash of their content. The compressed variants exist only there,
 * and the extension `.asset` gives all imports one type.
 */
import { mkdir, readdir, rm } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import { REPO_ROOT } from './repo-root.ts'

const SOURCE = join(REPO_ROOT, 'ui/dist')
const EMBED = join(REPO_ROOT, 'dist/embed')
const GENERATED = join(REPO_ROOT, 'server/web/manifest.gen.ts')
/** The page. The server fills it in for each request, so it has no compressed variants. */
const PAGE = 'index.html'

/** Extension → Content-Type, and whether compression makes the format smaller. */
const TYPES: Record<string, { type: string; compressible: boolean }> = {
  '.bcmap': { type: 'application/octet-stream', compressible: true },
  '.css': { type: 'text/css; charset=utf-8', compressible: true },
  '.html': { type: 'text/html; charset=utf-8', compressible: true },
  '.ico': { type: 'image/x-icon', compressible: true },
  '.js': { type: 'text/javascript; charset=utf-8', compressible: true },
  '.json': { type: 'application/json; charset=utf-8', compressible: true },
  '.mjs': { type: 'text/javascript; charset=utf-8', compressible: true },
  '.pfb': { type: 'application/octet-stream', compressible: true },
  '.png': { type: 'image/png', compressible: false },
  '.svg': { type: 'image/svg+xml; charset=utf-8', compressible: true },
  '.txt': { type: 'text/plain; charset=utf-8', compressible: true },
  '.wasm': { type: 'application/wasm', compressible: true },
  '.webmanifest': { type: 'application/manifest+json; charset=utf-8', compressible: true },
  '.webp': { type: 'image/webp', compressible: false },
  '.woff2': { type: 'font/woff2', compressible: false },
}

const HEAD = `// Written by scripts/manifest.ts
import type { Manifest } from './manifest.ts'`

const COMPRESSORS = {
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: 11 } }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes, { level: 9 }),
}

interface Packed {
  path: string
  type: string
  hash: string
  /** Content-Encoding → name in dist/embed. */
  files: { identity: string; [encoding: string]: string }
}

/**
 * Writes the manifest of ui/dist.
 *
 * @param hashed the files whose names contain a hash of their content, relative to ui/dist
 * @throws Error if a file has an unknown extension, or there is no index.html
 */
export async function writeManifest(hashed: Set<string>): Promise<void> {
  await mkdir(EMBED, { recursive: true })
  const paths = await filesBelow(SOURCE)
  const packed = await Promise.all(paths.map(pack))

  const digest = sha256(packed.map(({ path, hash }) => `${hash}  ${path}\n`).join(''))
  await Bun.write(GENERATED, render(digest, packed, hashed))
  await removeOthers(new Set(packed.flatMap(({ files }) => Object.values(files))))
}

/** Writes an empty manifest if there is none, so that the imports of the sources work before the first build. */
export async function ensureManifest(): Promise<void> {
  if (await Bun.file(GENERATED).exists()) return
  await Bun.write(
    GENERATED,
    `${HEAD}\nexport const manifest: Manifest = { digest: 'none', assets: {} }\n`,
  )
}

/** Every file below `folder`, as sorted relative paths. */
async function filesBelow(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  return files
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

/** Writes a file of ui/dist and its compressed variants to dist/embed. */
async function pack(path: string): Promise<Packed> {
  const format = TYPES[extname(path)]
  if (!format)
    throw new Error(`No Content-Type for ${path}: add its extension to ${import.meta.file}`)
  const bytes = await Bun.file(join(SOURCE, path)).bytes()
  const hash = sha256(bytes)

  const files: Packed['files'] = { identity: await embed(`${hash}.asset`, bytes) }
  if (format.compressible && path !== PAGE) {
    for (const [encoding, compress] of Object.entries(COMPRESSORS)) {
      const smaller = await compress(bytes)
      if (smaller.length >= bytes.length) continue
      files[encoding] = await embed(`${hash}.${encoding}.asset`, smaller)
    }
  }
  return { path, type: format.type, hash, files }
}

async function embed(name: string, bytes: Uint8Array): Promise<string> {
  await Bun.write(join(EMBED, name), bytes)
  return name
}

/** The source text of the manifest. */
function render(digest: string, packed: Packed[], hashed: Set<string>): string {
  const names = [...new Set(packed.flatMap(({ files }) => Object.values(files)))]
  const variable = (name: string) => `file${names.indexOf(name)}`
  const filesOf = ({ files }: Packed) =>
    Object.entries(files).map(([encoding, name]) => `${encoding}: ${variable(name)}`)

  const imports = names.map(
    (name) => `import ${variable(name)} from '../../dist/embed/${name}' with { type: 'file' }`,
  )
  const page = packed.find(({ path }) => path === PAGE)
  if (!page) throw new Error(`${SOURCE} holds no ${PAGE}`)
  const rows = packed
    .filter((asset) => asset !== page)
    .map((asset) => {
      const { path, type, hash } = asset
      const immutable = hashed.has(path)
      return `    ${JSON.stringify(`/${path}`)}: { type: '${type}', hash: '${hash}', immutable: ${immutable}, files: { ${filesOf(asset).join(', ')} } },`
    })
  return [
    HEAD,
    ...imports,
    '',
    'export const manifest: Manifest = {',
    `  digest: '${digest}',`,
    `  page: ${variable(page.files.identity)},`,
    '  assets: {',
    ...rows,
    '  },',
    '}',
    '',
  ].join('\n')
}

/** Removes the files of earlier builds from dist/embed. */
async function removeOthers(wanted: Set<string>): Promise<void> {
  const present = await readdir(EMBED)
  await Promise.all(
    present.filter((name) => !wanted.has(name)).map((name) => rm(join(EMBED, name))),
  )
}

function sha256(content: string | Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(content).digest('hex')
}
