/**
 * Theme, row height and columns, which the server stores so that each device of the user has them. The browser stores
 * them too (layout.ts), so that they apply before the server has responded.
 */
import { subscribe } from 'valtio'
import * as api from '#ui/api/accounts/appearance.ts'
import { assign } from '#ui/lib/assign.ts'
import type { Appearance } from '#wire/api/appearance.ts'
import { onUserChange, session } from '../session/session.ts'
import { DEFAULT_LAYOUT, layout } from './layout.ts'
import { applyTheme } from './theme.ts'

/** The choices that the server has stored, as JSON; undefined until they are loaded. */
let stored: string | undefined
/** The last request of the queue that stores choices; it never rejects. */
let saving: Promise<void> = Promise.resolve()

/**
 * Loads the choices of each user who signs in, and stores each change.
 *
 * @returns a function that ends this
 */
export function followAppearance(): () => void {
  const endUserChanges = onUserChange((user) => {
    stored = undefined
    if (user) void load(user.id)
  })
  const endLayoutChanges = subscribe(layout, saveChanges)
  return () => {
    endUserChanges()
    endLayoutChanges()
  }
}

/**
 * Loads the choices. A choice that the user changes during the load is kept, and stored. If the load fails, the choices
 * of the browser apply, and are not stored on the server.
 */
async function load(userId: number): Promise<void> {
  const before = pick(layout, CHOICES)
  const appearance = await api.load().catch(() => undefined)
  if (!appearance || session.user?.id !== userId) return
  const changed = CHOICES.filter((choice) => layout[choice] !== before[choice])
  const changes = pick(layout, changed)
  // Without the defaults, choices of another user of this browser would apply, and be stored for this one. The type
  // allows undefined fields, but a field that comes from JSON is never undefined.
  assign(layout, pick(DEFAULT_LAYOUT, CHOICES), appearance as Partial<typeof layout>)
  stored = JSON.stringify(chosen())
  assign(layout, changes)
  applyTheme()
  saveChanges()
}

/**
 * Stores changed choices on the server, after all earlier requests: the last choices must win. After a failure, the next
 * change stores all of them.
 */
function saveChanges(): void {
  saving = saving.then(saveNow).catch(() => undefined)
}

/** @throws Fault unavailable */
async function saveNow(): Promise<void> {
  const userId = session.user?.id
  const choices = chosen()
  const toStore = JSON.stringify(choices)
  if (stored === undefined || toStore === stored) return
  await api.save(choices)
  if (session.user?.id === userId) stored = toStore
}

const CHOICES = ['theme', 'density', 'typeColumn', 'sharedColumn', 'folderSizes'] as const

type Choice = (typeof CHOICES)[number]

function pick(from: Readonly<typeof layout>, choices: readonly Choice[]): Partial<typeof layout> {
  return Object.fromEntries(choices.map((choice) => [choice, from[choice]]))
}

function chosen(): Appearance {
  const { theme, density, typeColumn, sharedColumn, folderSizes } = layout
  return { ...(theme && { theme }), density, typeColumn, sharedColumn, folderSizes }
}
