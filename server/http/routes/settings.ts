/** The global settings (docs/api.md 1.13). */

import { completeSettings, normalizeSettings } from '#server/settings/normalize.ts'
import { API } from '#wire/api/routes.ts'
import { checkRules } from '#wire/api/rules.ts'
import { settingsShape } from '#wire/shapes/shapes.ts'
import type { Route } from '../context/context.ts'
import { OK_TEXT } from '../context/route-docs.ts'
import { jsonBody } from '../request/input.ts'
import { jsonResponse, okResponse } from '../response/present.ts'

export const settingsRoutes: Route[] = [
  {
    method: 'GET',
    path: API.settings,
    needs: 'admin',
    appPassword: 'none',
    docs: {
      summary: 'Returns the settings',
      responses: { 200: { description: 'the settings', shape: settingsShape } },
    },
    handle: ({ var: { app } }) =>
      jsonResponse({
        ...completeSettings(app.settings.get()),
        authMethod: app.signIn.settings.method,
      }),
  },
  {
    method: 'PUT',
    path: API.settings,
    needs: 'admin',
    appPassword: 'none',
    audit: () => ({ action: 'changeSettings' }),
    docs: {
      summary:
        'Changes settings; fields that are not sent keep their values, also in defaults, branding and tus. commands, defaults.perm, defaults.sorting and lists are replaced as a whole',
      body: settingsShape,
      responses: { 200: OK_TEXT },
    },
    async handle(call) {
      const { settings } = call.var.app
      const sent = await jsonBody(call, settingsShape)
      await settings.change((current) => {
        const merged = {
          ...current,
          ...defined(sent),
          defaults: { ...current.defaults, ...defined(sent.defaults ?? {}) },
          branding: { ...current.branding, ...defined(sent.branding ?? {}) },
          tus: { ...current.tus, ...defined(sent.tus ?? {}) },
        }
        checkRules(merged.rules)
        return normalizeSettings(merged)
      })
      return okResponse(call)
    },
  },
]

/** Removes undefined fields. They were not sent, so they keep their current values. */
function defined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  // Only undefined values were removed.
  return Object.fromEntries(given) as { [K in keyof T]: Exclude<T[K], undefined> }
}
