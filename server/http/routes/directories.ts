/** The directories (LDAP) of an installation, and the links of users with them (docs/api.md 38). */
import { z } from 'zod'
import { accountKey } from '#server/accounts/sign-in/sign-in.ts'
import type { StoredDirectory } from '#server/db/rows/directories.ts'
import type { DirectoryTest, LoginDirectory } from '#wire/api/directory.ts'
import { API } from '#wire/api/routes.ts'
import { Fault } from '#wire/fault.ts'
import * as shapes from '#wire/shapes/directory-shapes.ts'
import { removalShape } from '#wire/shapes/shapes.ts'
import type { Route } from '../context/context.ts'
import { OK_TEXT } from '../context/route-docs.ts'
import { jsonBody } from '../request/input.ts'
import { jsonResponse, okResponse } from '../response/present.ts'

const byId = `${API.identityDirectories}/:id` as const

const CONFIRMED = {
  400: 'the current password is wrong, or a code is needed; or a field is not valid',
  429: 'there are too many directories, or the current password was wrong too often',
  503: 'too many requests are waiting',
}
const NONE_SUCH = 'there is no such directory'

export const directoryRoutes: Route[] = [
  {
    method: 'GET',
    path: API.identityDirectories,
    needs: 'admin',
    appPassword: 'none',
    docs: {
      summary: 'Lists the directories with their options, without their passwords',
      responses: { 200: { description: 'the directories', shape: z.array(shapes.directoryShape) } },
    },
    handle: async ({ var: { app } }) =>
      jsonResponse((await app.directories.list()).map(presentDirectory)),
  },
  {
    method: 'POST',
    path: API.identityDirectories,
    needs: 'admin',
    appPassword: 'none',
    recent: 'always',
    audit: () => ({ action: 'changeSettings' }),
    docs: {
      summary: 'Adds a directory',
      body: shapes.directoryRequestShape,
      responses: {
        201: { description: 'the directory', shape: shapes.directoryShape },
        409: 'there is a directory or a provider with this id',
        ...CONFIRMED,
      },
    },
    async handle(call) {
      const { directory } = await jsonBody(call, shapes.directoryRequestShape)
      const { directories, providers } = call.var.app
      await directories.add(directory, () => providers.ids())
      const body = JSON.stringify(presentDirectory(await directories.get(directory.id)))
      return call.body(body, 201, { 'Content-Type': 'application/json; charset=utf-8' })
    },
  },
  {
    method: 'PUT',
    path: byId,
    needs: 'admin',
    appPassword: 'none',
    recent: 'always',
    audit: () => ({ action: 'changeSettings' }),
    docs: {
      summary:
        'Changes a directory; without a password, the stored one is kept. If it is switched off, its sessions end',
      body: shapes.directoryRequestShape,
      responses: {
        200: { description: 'the directory', shape: shapes.directoryShape },
        404: NONE_SUCH,
        ...CONFIRMED,
      },
    },
    async handle(call) {
      const { directory } = await jsonBody(call, shapes.directoryRequestShape)
      const { directories } = call.var.app
      if (directory.id !== call.req.param('id')) {
        throw new Fault('badRequest', 'The id of a directory does not change.')
      }
      await directories.change(directory)
      return jsonResponse(presentDirectory(await directories.get(directory.id)))
    },
  },
  {
    method: 'DELETE',
    path: byId,
    needs: 'admin',
    appPassword: 'none',
    recent: 'always',
    audit: () => ({ action: 'changeSettings' }),
    docs: {
      summary: 'Removes a directory, and ends its sessions; the accounts of its users stay',
      body: removalShape,
      responses: { 200: OK_TEXT, 404: NONE_SUCH, ...CONFIRMED },
    },
    async handle(call) {
      await call.var.app.directories.remove(call.req.param('id') ?? '')
      return okResponse(call)
    },
  },
  {
    method: 'POST',
    path: `${byId}/test`,
    needs: 'admin',
    appPassword: 'none',
    slow: true,
    docs: {
      summary: 'Looks for a user, and shows what a log-in would do; no session changes',
      body: shapes.directoryTestRequestShape,
      responses: {
        200: { description: 'the entry and the result', shape: shapes.directoryTestShape },
        400: 'a field of the directory is not valid, or its password is missing',
        404: NONE_SUCH,
        422: 'the directory has no such user, or several, or nothing that identifies the entry',
        429: 'too many attempts',
        503: 'the directory cannot be reached, or refuses; `X-Fault` has the reason',
      },
    },
    async handle(call) {
      const { app, address } = call.var
      const { directory, ...sent } = await jsonBody(call, shapes.directoryTestRequestShape)
      const test = () => app.directorySignIn.test(call.req.param('id') ?? '', sent, directory)
      const present = (result: DirectoryTest) =>
        jsonResponse(result, { 'Cache-Control': 'no-store' })
      // A search guesses nothing.
      if (sent.password === '') return present(await test())
      const results: DirectoryTest[] = []
      // A wrong password counts as at a log-in.
      await app.throttle.attempt({ account: accountKey(sent.username), address }, async () => {
        results.push(await test())
        return results[0]?.isPasswordRight === true
      })
      return results.map(present)[0] as Response
    },
  },
  {
    method: 'GET',
    path: API.identityLinkedDirectories,
    needs: 'session',
    appPassword: 'none',
    docs: {
      summary: 'Lists the directories of which users can link an account',
      responses: {
        200: { description: 'these directories', shape: z.array(shapes.shownDirectoryShape) },
      },
    },
    handle: async ({ var: { app } }) => jsonResponse(await app.directorySignIn.shown()),
  },
  {
    method: 'POST',
    path: API.identityLinkedDirectories,
    needs: 'session',
    appPassword: 'none',
    recent: 'always',
    slow: true,
    audit: ({ var: { auth } }) => ({ action: 'changeUser', whom: auth?.user }),
    docs: {
      summary: 'Links an account of a directory with the user, by both passwords',
      body: shapes.directoryLinkShape,
      responses: {
        200: OK_TEXT,
        400: 'the current password is wrong, or a code is needed',
        403: 'the name or the password in the directory is wrong; or the account may not log in',
        404: NONE_SUCH,
        409: 'the account is linked with a user already',
        429: 'too many attempts',
        503: 'the directory cannot be reached, or refuses; or too many requests are waiting',
      },
    },
    async handle(call) {
      const { app, auth, address } = call.var
      const { directory, ...sent } = await jsonBody(call, shapes.directoryLinkShape)
      await app.throttle.attempt({ account: accountKey(sent.username), address }, () =>
        app.directorySignIn.link(auth.user, directory, sent),
      )
      return okResponse(call)
    },
  },
]

/** A directory without its password. */
function presentDirectory(stored: StoredDirectory): LoginDirectory {
  const { id, label, bindPassword, isEnabled, options } = stored
  return { id, label, hasPassword: bindPassword !== '', isEnabled, options }
}
