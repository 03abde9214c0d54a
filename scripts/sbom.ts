/** Writes the software bill of materials (SBOM) of an executable as a CycloneDX 1.6 document. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPO_ROOT } from './repo-root.ts'
import type { Target } from './targets.ts'

/** A package in package-lock.json. */
interface LockedPackage {
  /** Only if another package is installed under this name, by `overrides` or an alias. */
  name?: string
  version?: string
  license?: string
  integrity?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
  os?: string[]
  cpu?: string[]
  libc?: string[]
}

/**
 * @param outfile the path of the document
 * @param target the platform: native packages of other platforms are not part of the executable
 */
export async function writeSbom(
  outfile: string,
  name: string,
  version: string,
  target: Target,
): Promise<void> {
  // npm writes this file. The type follows its documentation (package-lock.json, lockfileVersion 3).
  const lock = (await Bun.file(join(REPO_ROOT, 'package-lock.json')).json()) as {
    packages: Record<string, LockedPackage>
  }
  const components = [...shippedPaths(lock.packages, target)]
    .sort()
    .map((path) => component(path.replace(/^.*node_modules\//, ''), lock.packages[path]))
  const runtime = component('bun', { version: Bun.version, license: 'MIT' })
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name, version } },
    components: [runtime, ...components],
  }
  writeFileSync(outfile, `${JSON.stringify(document, null, 2)}\n`)
}

/**
 * The packages that the executable may contain, as paths of the lock file: the dependencies of the program, and theirs.
 * An optional one is included only if it is native code for the platform. Others replace native code, or contain only
 * types.
 */
function shippedPaths(packages: Record<string, LockedPackage>, target: Target): Set<string> {
  const paths = new Set<string>()
  const visit = (path: string) => {
    const { dependencies, optionalDependencies = {}, ...peers } = packages[path] ?? {}
    const required = Object.keys({ ...dependencies, ...peers.peerDependencies }).filter(
      (name) => !(name in optionalDependencies) && !peers.peerDependenciesMeta?.[name]?.optional,
    )
    const native = Object.keys(optionalDependencies).filter((name) => {
      const locked = packages[findPath(packages, path, name) ?? '']
      return locked?.os !== undefined && isFor(target, locked)
    })
    for (const name of [...required, ...native]) {
      const found = findPath(packages, path, name)
      if (found === undefined || paths.has(found)) continue
      paths.add(found)
      visit(found)
    }
  }
  visit('')
  return paths
}

/** The path of the package that `name` means in the package at `path`: the nearest one, as Node.js searches. */
function findPath(
  packages: Record<string, LockedPackage>,
  path: string,
  name: string,
): string | undefined {
  for (
    let folder = path;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules') - 1))
  ) {
    const candidate = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (candidate in packages) return candidate
    if (folder === '') return undefined
  }
}

/** Whether npm installs a package on this platform. */
function isFor({ os, cpu, libc }: Target, locked: LockedPackage = {}): boolean {
  const allows = (names: string[] | undefined, name: string | undefined) =>
    names === undefined || name === undefined || names.includes(name)
  return allows(locked.os, os) && allows(locked.cpu, cpu) && allows(locked.libc, libc)
}

/** @param installedAs the name of its folder */
function component(
  installedAs: string,
  { name = installedAs, version = '', license, integrity }: LockedPackage = {},
): object {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    ...(license ? { licenses: [{ expression: license }] } : {}),
    ...(integrity ? { hashes: [hashOf(integrity)] } : {}),
  }
}

/** @param integrity `sha512-` and the digest in base64; CycloneDX needs it in hexadecimal */
function hashOf(integrity: string): object {
  const [algorithm = '', digest = ''] = integrity.split('-')
  return {
    alg: algorithm.toUpperCase().replace('SHA', 'SHA-'),
    content: Buffer.from(digest, 'base64').toString('hex'),
  }
}
