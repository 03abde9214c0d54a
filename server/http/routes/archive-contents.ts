/** The content of archives, for users and for visitors of shares (docs/api.md 31). */

import { archiveFolderShape } from '#wire/api/archive-contents.ts'
import { API } from '#wire/api/routes.ts'
import {
  ARCHIVE_RESPONSES,
  INSIDE_QUERY,
  sendArchiveFile,
  sendArchiveFolder,
  withPathInside,
} from '../content/archive-contents.ts'
import type { Route } from '../context/context.ts'
import { CHANGED_SINCE, DOWNLOAD_QUERY } from '../context/route-docs.ts'
import { pathIn, readAction } from '../request/audit.ts'
import { pathAfter } from '../request/input.ts'
import { auditPublic, openShare } from '../request/open-share.ts'
import { redirectToContentOrigin } from '../response/content-origin.ts'

const LISTED = { description: 'the content of the folder', shape: archiveFolderShape }
const FILE_QUERY = { ...INSIDE_QUERY, inline: DOWNLOAD_QUERY.inline }
const FILE_RESPONSES = {
  200: { description: 'the bytes', type: 'application/octet-stream' },
  302: 'redirects the browser to the content origin, if one is configured',
  304: 'the content has not changed',
  412: CHANGED_SINCE,
} as const
const TOKEN_QUERY = { token: 'the token from the response to the correct password' }
const PUBLIC_RESPONSES = {
  ...ARCHIVE_RESPONSES,
  401: 'a password is needed',
  403: 'the owner’s rights or rules deny it',
} as const

export const archiveContentRoutes: Route[] = [
  {
    method: 'GET',
    path: `${API.archive}/*`,
    needs: 'download',
    appPassword: 'any',
    docs: {
      summary: 'Lists a folder in an archive, without extracting it',
      query: INSIDE_QUERY,
      responses: { 200: LISTED, ...ARCHIVE_RESPONSES },
    },
    slow: true,
    async handle(call) {
      const { scope } = call.var
      const { path } = pathAfter(call, API.archive)
      call.set('recheckAccess', () => scope.recheck('download', path))
      return sendArchiveFolder(call, scope, path)
    },
  },
  {
    method: 'GET',
    path: `${API.archiveFile}/*`,
    needs: 'download',
    appPassword: 'any',
    audit: (call) =>
      withPathInside(call, { action: readAction(call), path: pathIn(call, API.archiveFile) }),
    docs: {
      summary: 'Downloads one file of an archive',
      query: FILE_QUERY,
      responses: { ...FILE_RESPONSES, ...ARCHIVE_RESPONSES },
    },
    async handle(call) {
      const redirect = await redirectToContentOrigin(call)
      if (redirect) return redirect
      const { scope } = call.var
      const { path } = pathAfter(call, API.archiveFile)
      call.set('recheckAccess', () => scope.recheck('download', path))
      return sendArchiveFile(call, scope, path)
    },
  },
  {
    method: 'GET',
    path: `${API.publicArchive}/*`,
    needs: 'anyone',
    audit: (call) => auditPublic(call, 'publicLook', API.publicArchive),
    docs: {
      summary: 'Lists a folder in a shared archive',
      query: { ...INSIDE_QUERY, ...TOKEN_QUERY },
      responses: { 200: LISTED, ...PUBLIC_RESPONSES },
    },
    slow: true,
    async handle(call) {
      const { scope, path } = await openShare(call, API.publicArchive)
      return sendArchiveFolder(call, scope, path)
    },
  },
  {
    method: 'GET',
    path: `${API.publicArchiveFile}/*`,
    needs: 'anyone',
    audit: (call) =>
      withPathInside(call, auditPublic(call, 'publicDownload', API.publicArchiveFile)),
    docs: {
      summary: 'Downloads one file of a shared archive',
      query: { ...FILE_QUERY, ...TOKEN_QUERY },
      responses: { ...FILE_RESPONSES, ...PUBLIC_RESPONSES },
    },
    async handle(call) {
      const { scope, path } = await openShare(call, API.publicArchiveFile)
      const redirect = await redirectToContentOrigin(call)
      if (redirect) return redirect
      return sendArchiveFile(call, scope, path)
    },
  },
]
