/**
 * Theme, row height and columns follow the user to other devices. The browser stores them too (layout.ts), so that
 * they apply before the server has answered.
 */
import { subscribe } from 'valtio'
import { subscribeKey } from 'valtio/utils'
import * as api from '#ui/api/appearance.ts'
import { assign } from '#ui/lib/assign.ts'
import type { Appearance } from '#wire/appearance.ts'
import { layout } from './layout.ts'
import { session } from './session.ts'
import { applyTheme } from './theme.ts'

/** What the server has for the user; undefined until it is loaded. */
let stored: string | undefined

/** Loads the choices of each user who signs in, and stores each change. */
export function followAppearance(): void {
  let userId: number | undefined
  subscribeKey(session, 'user', (user) => {
    if (user?.id === userId) return
    userId = user?.id
    stored = undefined
    if (user) void load(user.id)
  })
  subscribe(layout, () => void saveChanges())
}

/** If the choices cannot be loaded, those of the browser apply, and are not stored. */
async function load(userId: number): Promise<void> {
  const appearance = await api.load().catch(() => undefined)
  if (!appearance || session.user?.id !== userId) return
  // A field is never undefined in JSON.
  assign(layout, appearance as Partial<typeof layout>)
  stored = JSON.stringify(chosen())
  applyTheme()
}

/** If the server cannot be reached, the next change stores all choices. */
async function saveChanges(): Promise<void> {
  const wanted = JSON.stringify(chosen())
  if (stored === undefined || wanted === stored) return
  const before = stored
  stored = wanted
  await api.save(chosen()).catch(() => {
    if (stored === wanted) stored = before
  })
}

function chosen(): Appearance {
  const { theme, density, typeColumn, sharedColumn } = layout
  return { ...(theme && { theme }), density, typeColumn, sharedColumn }
}
