/** Copies and moves of files and folders (docs/api.md 1.5). */

import { transfer } from '#server/files/content/transfer.ts'
import { API } from '#wire/api/routes.ts'
import { Fault } from '#wire/fault.ts'
import type { AnyCall, AuditNote, Route } from '../context/context.ts'
import { HOLDS_MOUNT, OK_TEXT, WRITE_RESPONSES } from '../context/route-docs.ts'
import { pathIn } from '../request/audit.ts'
import { flag, pathAfter, pathInQuery } from '../request/input.ts'
import { LeftOutLog } from '../response/left-out-log.ts'
import { okResponse } from '../response/present.ts'

const DESTINATION = 'destination'

export const transferRoute: Route = {
  method: 'PATCH',
  path: `${API.resources}/*`,
  needs: 'session',
  appPassword: 'any',
  audit: auditTransfer,
  docs: {
    summary: 'Copies, moves or renames a file or folder',
    query: {
      action: '`copy` or `rename`',
      destination: 'the new path, percent-encoded twice',
      override: '`true` replaces an existing entry',
      rename: '`true` takes the next free name',
    },
    responses: {
      ...WRITE_RESPONSES,
      200: OK_TEXT,
      400: 'the action is unknown, or a folder would be copied or moved into itself',
      415: 'the other file system cannot hold everything inside',
      423: HOLDS_MOUNT,
    },
  },
  slow: true,
  async handle(call) {
    const action = call.req.query('action')
    if (action !== 'copy' && action !== 'rename') {
      throw new Fault('badRequest', `unsupported action ${action ?? ''}: invalid request params`)
    }
    const leftOut = new LeftOutLog(call, 'copy')
    await transfer(call.var.scope, {
      action,
      from: pathAfter(call, API.resources).path,
      to: pathInQuery(call, DESTINATION),
      override: flag(call, 'override'),
      rename: flag(call, 'rename'),
      leftOut: leftOut.add,
    })
    leftOut.complete()
    leftOut.begin()
    return okResponse(call, leftOut.headers(), leftOut.sentence())
  },
}

function auditTransfer(call: AnyCall): AuditNote {
  const action = call.req.query('action') === 'copy' ? 'copy' : 'rename'
  return { action, path: pathIn(call, API.resources), to: auditedDestination(call) }
}

/** @returns the destination; the text as it was sent if it is not a valid path, as in a refused request */
function auditedDestination(call: AnyCall): string {
  try {
    return pathInQuery(call, DESTINATION)
  } catch (error) {
    if (error instanceof Fault) return call.req.query(DESTINATION) ?? ''
    throw error
  }
}
