/** People (contract 1.12). */
import { Fault } from '#wire/fault.ts'
import { API } from '#wire/routes.ts'
import { removalShape, userEnvelope } from '#wire/shapes.ts'
import type { Call, Route } from '../context.ts'
import { jsonBody } from '../input.ts'
import { json, ok, presentUser } from '../present.ts'

const one = `${API.users}/:id{[0-9]+}` as const

export const userRoutes: Route[] = [
  {
    method: 'GET',
    path: API.users,
    needs: 'admin',
    handle: ({ var: { app } }) => json(app.users.list().map((user) => presentUser(user, true))),
  },
  {
    method: 'GET',
    path: one,
    needs: 'session',
    handle(call) {
      const by = call.var.entrance.user
      const id = idOf(call)
      if (by.id !== id && !by.perm.admin) throw new Fault('forbidden', 'You may not see this user.')
      return json(presentUser(call.var.app.users.get(id), by.perm.admin))
    },
  },
  {
    method: 'POST',
    path: API.users,
    needs: 'admin',
    async handle(call) {
      const { which, data, current_password } = await jsonBody(call, userEnvelope)
      const edit = { which, data, currentPassword: current_password }
      const user = await call.var.app.editing.create(call.var.entrance.user, edit)
      const location = `${call.var.app.baseURL}/settings/users/${user.id}`
      return call.body('201 Created\n', 201, {
        'Content-Type': 'text/plain; charset=utf-8',
        Location: location,
      })
    },
  },
  {
    method: 'PUT',
    path: one,
    needs: 'session',
    async handle(call) {
      const { which, data, current_password } = await jsonBody(call, userEnvelope)
      const edit = { which, data, currentPassword: current_password }
      await call.var.app.editing.update(call.var.entrance.user, idOf(call), edit)
      return ok(call)
    },
  },
  {
    method: 'DELETE',
    path: one,
    needs: 'session',
    async handle(call) {
      const { current_password } = await jsonBody(call, removalShape)
      await call.var.app.editing.remove(call.var.entrance.user, idOf(call), current_password)
      return ok(call)
    },
  },
]

function idOf(call: Call): number {
  const id = Number(call.req.param('id'))
  if (Number.isSafeInteger(id)) return id
  throw new Fault('notFound', 'There is no such user.')
}
