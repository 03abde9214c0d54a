/**
 * Previews that documents contain. All these documents are zips: a book has a cover, and office programs store a
 * picture of the first page.
 */
import type { Scope } from '#server/access/scope/scope.ts'
import type { Member } from '#server/archives/member.ts'
import { zipMembersOf } from '#server/archives/read/open-archive.ts'
import type { Node } from '#server/storage/node.ts'
import { Fault } from '#wire/fault.ts'
import { scanXml } from '#wire/formats/scan-xml.ts'
import { extensionOf, nameOf } from '#wire/paths.ts'

/** Where office programs store a preview: OpenDocument, Office Open XML, iWork. */
const PREVIEWS = [
  'Thumbnails/thumbnail.png',
  'docProps/thumbnail.jpeg',
  'docProps/thumbnail.jpg',
  'docProps/thumbnail.png',
  'preview.jpg',
  'QuickLook/Thumbnail.jpg',
]
/** The file in an EPUB that names its package document (EPUB 3.3, OCF 4.2.6.3). */
const CONTAINER = 'META-INF/container.xml'
/** The largest size of the XML files that are read. */
const XML_MAX_BYTES = 2 ** 20
const PICTURE_MAX_BYTES = 32 * 2 ** 20

/**
 * @returns the bytes of the picture; undefined if there is none
 * @throws Fault unprocessable if the document is damaged or encrypted; tooLarge
 */
export async function documentPicture(
  source: Pick<Scope, 'read'>,
  node: Node,
): Promise<Uint8Array | undefined> {
  const members = new Map<string, Member>()
  for await (const member of zipMembersOf(source, node)) members.set(member.name, member)
  const isBook = extensionOf(nameOf(node.path)).toLowerCase() === '.epub'
  const name = isBook ? await coverOf(members) : PREVIEWS.find((path) => members.has(path))
  return name && members.has(name) ? contentOf(members, name, PICTURE_MAX_BYTES) : undefined
}

/** The name of an EPUB's cover (EPUB 3.3, 5.6.2.1; the `meta` element is that of EPUB 2). */
async function coverOf(members: ReadonlyMap<string, Member>): Promise<string | undefined> {
  let packagePath = ''
  scan(await textOf(members, CONTAINER), (name, attribute) => {
    if (name === 'rootfile') packagePath ||= attribute('full-path') ?? ''
  })
  const pictures = new Map<string, string>()
  let [cover, coverId] = ['', '']
  scan(await textOf(members, packagePath), (name, attribute) => {
    if (name === 'meta' && attribute('name') === 'cover') coverId = attribute('content') ?? ''
    if (name !== 'item') return
    const href = attribute('href') ?? ''
    pictures.set(attribute('id') ?? '', href)
    if (attribute('properties')?.split(' ').includes('cover-image')) cover = href
  })
  const href = cover || pictures.get(coverId)
  return href && memberAt(packagePath, href)
}

/**
 * The name of a member by its URL in another member.
 *
 * @throws Fault unprocessable if it is no URL
 */
function memberAt(base: string, href: string): string {
  try {
    return decodeURIComponent(new URL(href, `zip:///${base}`).pathname.slice(1))
  } catch (cause) {
    throw damaged(cause)
  }
}

function scan(
  xml: string,
  open: (name: string, attribute: (name: string) => string | undefined) => void,
): void {
  scanXml(xml, () => ({ open }), damaged)
}

async function textOf(members: ReadonlyMap<string, Member>, name: string): Promise<string> {
  return new TextDecoder().decode(await contentOf(members, name, XML_MAX_BYTES))
}

async function contentOf(
  members: ReadonlyMap<string, Member>,
  name: string,
  maxBytes: number,
): Promise<Uint8Array> {
  const member = members.get(name)
  if (member?.kind !== 'file') throw new Fault('unprocessable', 'There is no picture in this file.')
  if (member.sizeBytes > maxBytes) {
    throw new Fault('tooLarge', 'The picture in this document is too large for a preview.')
  }
  const parts: Uint8Array[] = []
  for await (const part of member.read()) parts.push(part)
  return Buffer.concat(parts)
}

function damaged(cause: unknown): Fault {
  return new Fault('unprocessable', 'This document is damaged.', { cause })
}
