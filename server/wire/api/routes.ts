/** All API paths, used by the server, the interface and the tests. */

import type { ArchiveFormatName } from '../formats/archive-formats.ts'
import { encodeSegment, type TreePath, toUrlPath } from '../paths.ts'
import type { ChecksumAlgorithm } from './entry.ts'

/** The page of an invitation. The token is in the fragment, which is not sent to servers or logs. */
export const INVITE_PAGE = '/invite'

export const API = {
  login: '/api/login',
  loginCode: '/api/login/code',
  loginEnrol: '/api/login/enrol',
  loginPasskey: '/api/login/passkey',
  renew: '/api/renew',
  logout: '/api/logout',
  signup: '/api/signup',
  resources: '/api/resources',
  raw: '/api/raw',
  archive: '/api/archive',
  archiveFile: '/api/archive-file',
  preview: '/api/preview',
  media: '/api/media',
  filmSubtitles: '/api/film-subtitles',
  rotation: '/api/rotation',
  crop: '/api/crop',
  access: '/api/access',
  subtitle: '/api/subtitle',
  usage: '/api/usage',
  uploads: '/api/uploads',
  search: '/api/search',
  space: '/api/space',
  sameContent: '/api/same-content',
  find: '/api/find',
  findText: '/api/find-text',
  appearance: '/api/appearance',
  favourites: '/api/favourites',
  recent: '/api/recent',
  tus: '/api/tus',
  batch: '/api/batch',
  share: '/api/share',
  shares: '/api/shares',
  users: '/api/users',
  sessions: '/api/sessions',
  appPasswords: '/api/app-passwords',
  secondFactor: '/api/second-factor',
  passkeys: '/api/passkeys',
  identity: '/api/identity',
  /** The id of a provider comes last. Before another word it would slow the routing of all requests (http/app.ts). */
  identityLogin: '/api/identity/login',
  identityCallback: '/api/identity/callback',
  identityBackchannel: '/api/identity/backchannel',
  identityFinish: '/api/identity/finish',
  identityLinked: '/api/identity/linked',
  identityLinkedDirectories: '/api/identity/linked/directories',
  identityProviders: '/api/identity/providers',
  identityDirectories: '/api/identity/directories',
  identityDiscovery: '/api/identity/discovery',
  identityTest: '/api/identity/test',
  invitations: '/api/invitations',
  invitation: '/api/invitation',
  acceptInvitation: '/api/invitation/accept',
  firstSteps: '/api/first-steps',
  settings: '/api/settings',
  audit: '/api/audit',
  journal: '/api/journal',
  trash: '/api/trash',
  trashExcept: '/api/trash-except',
  trashPreview: '/api/trash-preview',
  versions: '/api/versions',
  jobs: '/api/jobs',
  publicShare: '/api/public/share',
  publicDownload: '/api/public/dl',
  publicArchive: '/api/public/archive',
  publicArchiveFile: '/api/public/archive-file',
  publicPreview: '/api/public/preview',
  publicMedia: '/api/public/media',
  publicSubtitle: '/api/public/subtitle',
  publicFilmSubtitles: '/api/public/film-subtitles',
  command: '/api/command',
  events: '/api/events',
  openapi: '/api/openapi.json',
  docs: '/api/docs',
  status: '/api/status',
  health: '/health',
  ready: '/ready',
} as const

type Query = Record<string, string | number | boolean | undefined>

/** The query string of the defined values; empty if there are none. */
export function queryString(query: Query): string {
  const pairs = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) pairs.set(key, String(value))
  }
  const text = pairs.toString()
  return text === '' ? '' : `?${text}`
}

export interface MoveQuery {
  action: 'copy' | 'rename'
  destination: TreePath
  override?: boolean
  /** If the name is taken, use the next free one. */
  rename?: boolean
}

/** URL paths that contain a tree path. The path of a folder ends with a slash. */
export const urls = {
  resource: (path: TreePath, asFolder = false) => API.resources + toUrlPath(path, asFolder),
  upload: (path: TreePath, override: boolean) =>
    API.resources + toUrlPath(path) + queryString({ override }),
  tus: (path: TreePath, override: boolean) => API.tus + toUrlPath(path) + queryString({ override }),
  batch: (folder: TreePath) => API.batch + toUrlPath(folder, true),
  checksum: (path: TreePath, checksum: ChecksumAlgorithm) =>
    API.resources + toUrlPath(path) + queryString({ checksum }),
  raw: (path: TreePath, inline = false) =>
    API.raw + toUrlPath(path) + queryString({ inline: inline || undefined }),
  archive: (folder: TreePath, names: readonly string[], format: ArchiveFormatName) => {
    // Each name is encoded separately, so that a comma in a name is no separator (docs/api.md 1.7).
    const files = names.length > 0 ? names.map(encodeSegment).join(',') : undefined
    return API.raw + toUrlPath(folder, true) + queryString({ files, algo: format })
  },
  /** @param also folders whose names are watched too */
  events: (path: TreePath, also: readonly TreePath[]) => {
    const query = also.map((folder) => `also=${encodeURIComponent(folder)}`).join('&')
    return `${API.events}${toUrlPath(path, true)}${also.length > 0 ? `?${query}` : ''}`
  },
  usage: (path: TreePath) => API.usage + toUrlPath(path, true),
  /** The destination is encoded twice, as File Browser's clients do (docs/api.md 1.5). */
  move: (from: TreePath, { destination, ...options }: MoveQuery) =>
    API.resources +
    toUrlPath(from) +
    queryString({ ...options, destination: toUrlPath(destination) }),
}
