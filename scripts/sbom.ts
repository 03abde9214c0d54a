/** Writes the software bill of materials (SBOM) of an executable as a CycloneDX 1.6 document. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPO_ROOT } from './repo-root.ts'
import type { Target } from './targets.ts'

/** A package in package-lock.json. */
interface LockedPackage {
  version?: string
  license?: string
  integrity?: string
  dev?: boolean
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
  const foreign = Object.keys(lock.packages).filter((path) => !isFor(target, lock.packages[path]))
  const isForeign = (path: string) => foreign.some((f) => path === f || path.startsWith(`${f}/`))
  const components = Object.entries(lock.packages)
    .filter(([path, { dev }]) => path !== '' && !dev && !isForeign(path))
    .map(([path, locked]) => component(path.replace(/^.*node_modules\//, ''), locked))
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

/** Whether npm installs a package on this platform. */
function isFor({ os, cpu, libc }: Target, locked: LockedPackage = {}): boolean {
  const allows = (names: string[] | undefined, name: string | undefined) =>
    names === undefined || name === undefined || names.includes(name)
  return allows(locked.os, os) && allows(locked.cpu, cpu) && allows(locked.libc, libc)
}

function component(name: string, { version = '', license, integrity }: LockedPackage): object {
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
