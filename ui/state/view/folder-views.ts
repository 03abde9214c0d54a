/**
 * How folders are shown. The account stores one view for all folders. A folder with its own view stores it in the
 * browser, because a phone and a desktop need different ones.
 */

import { proxy, ref } from 'valtio'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { remember, rememberedRows } from '#ui/lib/remembered.ts'
import type { Sorting } from '#wire/api/entry.ts'
import type { ViewMode } from '#wire/api/user.ts'
import type { TreePath } from '#wire/paths.ts'
import { changePreferences, onUserChange, session } from '../session/session.ts'
import { layout } from './layout.ts'

const DENSITIES = ['comfortable', 'compact'] as const
export type Density = (typeof DENSITIES)[number]

export interface FolderView {
  viewMode: ViewMode
  sorting: Sorting
  density: Density
}

type OwnView = FolderView & { path: TreePath }

const NONE: readonly OwnView[] = []

/** The folders with their own view, the last changed one last. A `ref`, replaced as a whole. */
export const folderViews = proxy<{ own: readonly OwnView[] }>({ own: ref(NONE) })

/** The id of the user whose views are loaded. */
let owner: number | undefined

onUserChange((user) => {
  owner = user?.id
  folderViews.own = ref(owner === undefined ? NONE : rememberedRows(keyOf(owner), isOwnView))
})

/**
 * @param state the stores; a component passes snapshots, so that it renders again after a change
 * @returns the folder's own view, or the view of all folders
 */
export function viewOf(
  path: TreePath,
  state: { own: readonly OwnView[]; user: typeof session.user; density: Density } = {
    own: folderViews.own,
    user: session.user,
    density: layout.density,
  },
): FolderView {
  const { own, user, density } = state
  const ownView = own.find((view) => view.path === path)
  if (ownView) return ownView
  const { viewMode = 'list', sorting = { by: 'name', asc: true } } = user ?? {}
  return { viewMode, sorting, density }
}

export function hasOwnView(path: TreePath, own = folderViews.own): boolean {
  return own.some((view) => view.path === path)
}

/** Gives the folder its own view, which is at first the same as the current one, or removes its own view. */
export function setOwnView(path: TreePath, isOwn: boolean): void {
  const others = folderViews.own.filter((view) => view.path !== path)
  store(isOwn ? [...others, { ...viewOf(path), path }] : others)
}

/**
 * Changes the view of a folder: its own view if it has one, else the view of all folders on every device of the user.
 *
 * @throws Fault badRequest (a value that the server does not accept), unavailable
 */
export async function changeView(path: TreePath, changes: Partial<FolderView>): Promise<void> {
  if (hasOwnView(path)) {
    const others = folderViews.own.filter((view) => view.path !== path)
    return store([...others, { ...viewOf(path), ...changes, path }])
  }
  const { density, ...preferences } = changes
  if (density) layout.density = density
  if (Object.keys(preferences).length > 0) await changePreferences(preferences)
}

function store(own: readonly OwnView[]): void {
  folderViews.own = ref(own.slice(-UI_LIMITS.storedFolderViewsMax))
  if (owner !== undefined) remember(keyOf(owner), own.length === 0 ? undefined : folderViews.own)
}

function keyOf(userId: number): string {
  return `filemgr.views.${userId}`
}

function isOwnView(row: unknown): row is OwnView {
  const isObject = typeof row === 'object' && row !== null
  return isObject && 'path' in row && 'viewMode' in row && 'sorting' in row && 'density' in row
}
