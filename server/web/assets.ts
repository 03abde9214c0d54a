/** Serves the files of the interface, as listed in the manifest. */
import { type Asset, CONTENT_CODINGS, type Encoding, type Manifest, manifest } from './manifest.ts'

/** Identifies the interface in `filemgr version`; `none` if it is not built. */
export const uiDigest = manifest.digest

/** The page contains the placeholder of the real page, so that clients can read the settings from both. */
const NOT_BUILT_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<!--filemgr:head-->
<p>The interface is not built: npm run build
</html>
`

/** @returns the asset at exactly this URL path (without the base path) */
export function findAsset(urlPath: string, { assets }: Manifest = manifest): Asset | undefined {
  return Object.hasOwn(assets, urlPath) ? assets[urlPath] : undefined
}

/** The built index.html, or a page that says that the interface is not built. */
export async function indexHtml({ page }: Manifest = manifest): Promise<string> {
  return page === undefined ? NOT_BUILT_PAGE : await Bun.file(page).text()
}

/** The response to a GET or HEAD of an asset; undefined if there is none. */
export function assetResponse(
  request: Request,
  urlPath: string,
  from: Manifest = manifest,
): Response | undefined {
  const asset = findAsset(urlPath, from)
  if (!asset) return undefined

  const encoding = chooseEncoding(asset, request.headers.get('Accept-Encoding') ?? '')
  const etag = `"${asset.hash}-${encoding}"`
  const headers = new Headers({
    'Cache-Control': asset.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: etag,
    Vary: 'Accept-Encoding',
    'X-Content-Type-Options': 'nosniff',
  })
  if (includesTag(request.headers.get('If-None-Match') ?? '', etag)) {
    return new Response(null, { status: 304, headers })
  }

  const file = Bun.file(asset.files[encoding] ?? asset.files.identity)
  headers.set('Content-Type', asset.type)
  headers.set('Content-Length', String(file.size))
  if (encoding !== 'identity') headers.set('Content-Encoding', encoding)
  return new Response(request.method === 'HEAD' ? null : file, { headers })
}

/** The best encoding that the asset has and the client accepts (RFC 9110, section 12.5.3). */
function chooseEncoding(asset: Asset, accepted: string): Encoding {
  const weights = new Map(accepted.toLowerCase().split(',').map(readWeight))
  const accepts = (encoding: Encoding) => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0
  return (
    CONTENT_CODINGS.find((encoding) => asset.files[encoding] && accepts(encoding)) ?? 'identity'
  )
}

/** Parses `gzip;q=0.5`. */
function readWeight(item: string): [name: string, weight: number] {
  const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  return [name, weight === undefined ? 1 : Number(weight.slice(2))]
}

/** Whether If-None-Match contains this tag (RFC 9110, section 13.1.2: weak comparison). */
function includesTag(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === etag)
}
