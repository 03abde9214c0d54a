/**
 * Theme, row height and columns, which the server stores so that each device of the user has them. The browser stores
 * them too (layout.ts), so that they apply before the server has responded.
 */
import { subscribe } from 'valtio'
import * as api from '#ui/api/appearance.ts'
import { assign } from '#ui/lib/assign.ts'
import type { Appearance } from '#wire/appearance.ts'
import { layout } from './layout.ts'
import { onUserChange, session } from './session.ts'
import { applyTheme } from './theme.ts'

/** The choices that the server has stored, as JSON; undefined until they are loaded. */
let stored: string | undefined

/** Loads the choices of each user who signs in, and stores each change. */
export function followAppearance(): void {
  onUserChange((user) => {
    stored = undefined
    if (user) void load(user.id)
  })
  subscribe(layout, () => void saveChanges())
}

/**
 * Loads the choices. A choice that the user changes during the load is kept, and stored. If the load fails, the choices
 * of the browser apply, and are not stored on the server.
 */
async function load(userId: number): Promise<void> {
  const before = chosen()
  const appearance = await api.load().catch(() => undefined)
  if (!appearance || session.user?.id !== userId) return
  const now = chosen()
  const changed = CHOICES.filter((choice) => now[choice] !== before[choice])
  // The type allows undefined fields, but a field that comes from JSON is never undefined.
  assign(layout, appearance as Partial<typeof layout>)
  stored = JSON.stringify(chosen())
  assign(layout, Object.fromEntries(changed.map((choice) => [choice, now[choice]])))
  applyTheme()
  void saveChanges()
}

/** Stores changed choices on the server. After a failure, the next change stores all of them. */
async function saveChanges(): Promise<void> {
  const toStore = JSON.stringify(chosen())
  if (stored === undefined || toStore === stored) return
  const storedBefore = stored
  stored = toStore
  await api.save(chosen()).catch(() => {
    if (stored === toStore) stored = storedBefore
  })
}

const CHOICES = ['theme', 'density', 'typeColumn', 'sharedColumn', 'folderSizes'] as const

function chosen(): Appearance {
  const { theme, density, typeColumn, sharedColumn, folderSizes } = layout
  return { ...(theme && { theme }), density, typeColumn, sharedColumn, folderSizes }
}
