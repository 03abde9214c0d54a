/** What can be done with files and folders. */

import * as api from '#ui/api/resources.ts'
import { t } from '#ui/i18n/i18n.ts'
import { download } from '#ui/lib/download.ts'
import { archiveUrl, leadsSomewhere, rawUrl } from '#ui/lib/links.ts'
import { filesUrl, goTo, leaveFor } from '#ui/lib/location.ts'
import { clipboard, emptyClipboard, putOnClipboard } from '#ui/state/clipboard.ts'
import { preselect, reloadListing } from '#ui/state/listing.ts'
import { forgetSibling } from '#ui/state/opened.ts'
import { ask } from '#ui/state/prompts.ts'
import { indexOf } from '#ui/state/selection.ts'
import type { Situation } from '#ui/state/situation.ts'
import { dropChanges, mayLeave } from '#ui/state/text.ts'
import { toastError, toastSuccess } from '#ui/state/toasts.ts'
import type { Entry } from '#wire/entry.ts'
import { childPath, nameOf, parentPath, type TreePath } from '#wire/paths.ts'
import { mayWrite, turns, turnTo } from './open.ts'
import { transfer } from './transfer.ts'
import type { Action } from './types.ts'

export const fileActions = [
  {
    id: 'newFolder',
    label: 'actions.newFolder',
    icon: 'folder-plus',
    when: canCreate,
    async run({ path }) {
      const name = await ask({ name: 'newFolder', folder: path })
      if (!name) return
      const folder = childPath(path, name)
      await api.createFolder(folder)
      goTo(filesUrl(folder, true))
    },
  },
  {
    id: 'newFile',
    label: 'actions.newFile',
    icon: 'file-plus',
    when: canCreate,
    async run({ path }) {
      const name = await ask({ name: 'newFile', folder: path })
      if (!name) return
      const file = childPath(path, name)
      await api.createFile(file)
      goTo(filesUrl(file, false))
    },
  },
  {
    id: 'open',
    label: 'actions.open',
    icon: 'folder-open',
    when: ({ place, targets }) => place === 'folder' && targets.length === 1,
    run({ targets: [entry] }) {
      if (entry) goTo(filesUrl(pathOf(entry), entry.isDir))
    },
  },
  {
    id: 'download',
    label: 'actions.download',
    icon: 'download',
    counts: true,
    keys: ['Ctrl+S'],
    when: (now) => mayDownload(now) && !mayWrite(now),
    run: startDownload,
  },
  {
    // Where text is written, Ctrl+S saves it.
    id: 'downloadText',
    label: 'actions.download',
    icon: 'download',
    when: (now) => mayDownload(now) && mayWrite(now),
    run: startDownload,
  },
  {
    id: 'copy',
    label: 'actions.copy',
    icon: 'copy',
    keys: ['Ctrl+C'],
    when: (now) => hasSelection(now) && now.may('copy') && !selectedText(),
    run({ path, targets }) {
      putOnClipboard('copy', path, targets)
      toastSuccess(t('toasts.copied', { count: targets.length, name: targets[0]?.name ?? '' }))
    },
  },
  {
    id: 'cut',
    label: 'actions.cut',
    icon: 'scissors',
    keys: ['Ctrl+X'],
    when: (now) => hasSelection(now) && now.may('rename'),
    run({ path, targets }) {
      putOnClipboard('cut', path, targets)
      toastSuccess(t('toasts.cut', { count: targets.length, name: targets[0]?.name ?? '' }))
    },
  },
  {
    id: 'paste',
    label: 'actions.paste',
    icon: 'clipboard-paste',
    keys: ['Ctrl+V'],
    when: ({ place, pastes, may }) =>
      place === 'folder' && pastes !== undefined && may(pastes === 'move' ? 'rename' : 'copy'),
    async run({ path, pastes = 'copy' }) {
      const { verb, folder, entries } = clipboard
      const done = await transfer(pastes, entries, folder, path, { stay: true })
      if (done && verb === 'cut') emptyClipboard()
    },
  },
  {
    id: 'copyTo',
    label: 'actions.copyTo',
    icon: 'folders',
    when: (now) => now.targets.length > 0 && now.may('copy'),
    async run({ targets, path, place }) {
      const from = place === 'file' ? parentPath(path) : path
      const to = await ask({ name: 'copy', entries: targets, from })
      if (to) await transfer('copy', targets, from, to)
    },
  },
  {
    id: 'moveTo',
    label: 'actions.moveTo',
    icon: 'folder-input',
    mirror: true,
    when: (now) => now.targets.length > 0 && now.may('rename'),
    async run({ targets, path, place }) {
      const from = place === 'file' ? parentPath(path) : path
      const to = await ask({ name: 'move', entries: targets, from })
      if (!to || to === from || (place === 'file' && !(await mayLeave()))) return
      await transfer('move', targets, from, to, { leaves: place === 'file' })
    },
  },
  {
    id: 'rename',
    label: 'actions.rename',
    icon: 'pencil',
    keys: ['F2'],
    when: (now) => now.targets.length === 1 && now.may('rename'),
    run: rename,
  },
  {
    id: 'delete',
    label: 'actions.delete',
    icon: 'trash-2',
    keys: ['Delete', 'Ctrl+Backspace'],
    danger: true,
    when: (now) => now.targets.length > 0 && now.may('delete'),
    run: remove,
  },
] as const satisfies readonly Action[]

function mayDownload({ place, targets, hasItems, may }: Situation): boolean {
  const some = targets.length > 0 ? targets.some(leadsSomewhere) : hasItems
  return place !== 'elsewhere' && may('download') && some
}

function canCreate({ place, may }: Situation): boolean {
  return place === 'folder' && may('create')
}

function hasSelection({ place, targets }: Situation): boolean {
  return place === 'folder' && targets.length > 0
}

/** Marked text on the page means the person copies words, not files. */
function selectedText(): string {
  return globalThis.getSelection?.()?.toString() ?? ''
}

/** One file as it is; several things, or a folder, as an archive. Nothing selected is the whole folder. */
async function startDownload({ place, path, targets }: Situation): Promise<void> {
  const wanted = targets.filter(leadsSomewhere)
  const [only, ...others] = wanted
  if (place === 'file') return download(rawUrl(path))
  if (only && others.length === 0 && !only.isDir) return download(rawUrl(pathOf(only)))
  const format = await ask({
    name: 'download',
    of: only?.name ?? (nameOf(path) || t('places.home')),
    count: wanted.length || 'all',
  })
  if (format) download(archiveUrl(path, wanted.map(nameOfEntry), format))
}

async function rename({ place, path, items, targets: [entry] }: Situation): Promise<void> {
  if (!entry) return
  const siblings = items.filter((item) => item !== entry).map((item) => item.name)
  const name = await ask({ name: 'rename', entry, siblings })
  if (!name || name === entry.name) return
  if (place === 'file' && !(await mayLeave())) return
  const from = place === 'file' ? path : pathOf(entry)
  const to = childPath(parentPath(from), name)
  await api.move(from, to)
  if (place === 'file') return goTo(filesUrl(to, false), { replace: true })
  preselect([name])
  await reloadListing()
}

async function remove(now: Situation): Promise<void> {
  const { place, path, items, targets } = now
  if (!(await ask({ name: 'delete', entries: targets }))) return
  const gone: Entry[] = []
  for (const entry of targets) {
    try {
      await api.remove(place === 'file' ? path : pathOf(entry))
      gone.push(entry)
    } catch (error) {
      toastError(error, entry.name)
    }
  }
  const [first] = gone
  if (first) toastSuccess(t('toasts.deleted', { count: gone.length, name: first.name }))
  if (place === 'file') {
    if (first) goOn(now)
    return
  }
  preselectNeighbour(items, targets)
  await reloadListing()
}

/** The file on the page is gone: the next one that is looked at follows it, or else its folder. */
function goOn(now: Situation): void {
  const { path, next, previous } = now
  dropChanges()
  forgetSibling(path)
  const follower = turns(now) ? (next ?? previous) : undefined
  if (follower) turnTo(follower)
  else leaveFor(filesUrl(parentPath(path), true))
}

/** After a deletion the item that takes the place of the last deleted one is selected. */
function preselectNeighbour(items: readonly Entry[], gone: readonly Entry[]): void {
  const names = new Set(gone.map((entry) => entry.name))
  const last = indexOf(items, gone.at(-1)?.path)
  const left = (entry: Entry) => !names.has(entry.name)
  const neighbour = items.slice(last + 1).find(left) ?? items.slice(0, last).findLast(left)
  if (neighbour) preselect([neighbour.name])
}

function nameOfEntry({ name }: Entry): string {
  return name
}

/** An entry's path, as the server spelled it: already a clean TreePath. */
function pathOf(entry: Entry): TreePath {
  return entry.path as TreePath
}
