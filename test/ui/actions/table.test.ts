import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import '../browser.ts'
import { findAction } from '#ui/actions/keyboard.ts'
import { actions } from '#ui/actions/registry.ts'
import { actionsOn, SURFACES, type Surface } from '#ui/actions/surfaces.ts'
import type { Viewer } from '#ui/lib/entries/viewers.ts'
import type { ActionContext } from '#ui/state/action-context.ts'
import { lastMove } from '#ui/state/folder/last-move.ts'
import { parsePath } from '#wire/paths.ts'
import { type Permission, permissionsOf } from '#wire/permissions.ts'
import { contextOf as contextFor, ITEMS } from '../contexts.ts'
import { entry } from '../entries.ts'

function contextOf(changes: Partial<ActionContext>, ...granted: Permission[]): ActionContext {
  return contextFor(permissionsOf(...granted), changes)
}

const CASES = {
  'nothing selected': {},
  'one selected': { targets: ITEMS.slice(0, 1) },
  'two selected': { targets: ITEMS.slice(0, 2) },
  'an empty folder': { items: [] },
  'something to paste': { pasteVerb: 'copy' },
  'another page': { page: 'elsewhere' },
} satisfies Record<string, Partial<ActionContext>>

const VIEWERS: readonly Viewer[] = [
  'editor',
  'table',
  'image',
  'video',
  'audio',
  'pdf',
  'book',
  'document',
  'sheets',
  'card',
]
const MARKDOWN = entry('/docs/a.md', { type: 'text' })

/** A file on the page, between two others. */
function openedIn(viewer: Viewer, ...granted: Permission[]): ActionContext {
  const [previous, next] = ITEMS
  const type = viewer === 'editor' || viewer === 'table' ? 'text' : 'blob'
  const targets = [{ ...MARKDOWN, type } as const]
  return contextOf({ page: 'file', items: [], targets, viewer, previous, next }, ...granted)
}

const inFolders: ActionContext[] = (['folder', 'file', 'elsewhere'] as const).flatMap((page) =>
  [0, 1, 2].flatMap((count) =>
    ([undefined, 'copy', 'move'] as const).flatMap((pasteVerb) =>
      [false, true].map((isSelectionMode) =>
        contextOf({ page, targets: ITEMS.slice(0, count), pasteVerb, isSelectionMode }, 'admin'),
      ),
    ),
  ),
)

const everyContext = [...inFolders, ...VIEWERS.map((viewer) => openedIn(viewer, 'admin'))]

const idsOn = (surface: Surface, now: ActionContext) =>
  actionsOn(surface, now)
    .flat()
    .map(({ id }) => id)

describe('the action table', () => {
  // After a move, entries can be moved to the same folder.
  beforeAll(() => {
    lastMove.to = parsePath('/elsewhere')
  })
  afterAll(() => {
    delete lastMove.to
  })

  test('no two actions share keys in one context @spec-2.52', () => {
    const clashes = everyContext.flatMap((now) => {
      const keys = actions.filter((action) => action.when(now)).flatMap(({ keys = [] }) => keys)
      return keys.filter((key, at) => keys.indexOf(key) !== at)
    })
    expect(clashes).toEqual([])
  })

  test('the bar does not change when a folder finishes loading', () => {
    const coming = contextOf({ items: [], hasItems: true }, 'admin')
    expect(idsOn('bar', coming)).toEqual(idsOn('bar', contextOf({}, 'admin')))
    expect(idsOn('bar', coming)).not.toEqual(idsOn('bar', contextOf({ items: [] }, 'admin')))
  })

  test('every id is used once, and every id of a surface exists', () => {
    const ids = actions.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const arranged = Object.values(SURFACES).flat(2)
    expect(arranged.filter((id) => !ids.includes(id))).toEqual([])
  })

  test.each([
    ['Delete', 'two selected', 'delete'],
    ['Delete', 'nothing selected', undefined],
    ['F2', 'one selected', 'rename'],
    ['F2', 'two selected', 'rename'],
    ['Ctrl+A', 'nothing selected', 'selectAll'],
    ['Ctrl+A', 'an empty folder', undefined],
    ['Ctrl+C', 'two selected', 'copy'],
    ['Ctrl+X', 'two selected', 'cut'],
    ['Ctrl+V', 'something to paste', 'paste'],
    ['Ctrl+V', 'nothing selected', undefined],
    ['Ctrl+S', 'nothing selected', 'download'],
    ['Escape', 'one selected', 'clearSelection'],
    ['Escape', 'nothing selected', undefined],
    ['F1', 'another page', 'help'],
    ['Q', 'nothing selected', undefined],
  ] satisfies [string, keyof typeof CASES, string | undefined][])(
    'the key %s with %s starts the action %s',
    (keys, name, id) => {
      expect(findAction(keys, contextOf(CASES[name], 'admin'))?.id).toBe(id)
    },
  )

  test.each([
    ['Ctrl+S', 'editor', 'save'],
    ['Ctrl+S', 'image', 'download'],
    ['Ctrl+F', 'editor', 'find'],
    ['Ctrl+F', 'pdf', undefined],
    ['Ctrl+G', 'editor', 'goToLine'],
    ['ArrowRight', 'image', 'next'],
    ['ArrowLeft', 'card', 'previous'],
    ['Enter', 'audio', 'next'],
    ['ArrowRight', 'editor', undefined],
    ['ArrowRight', 'book', undefined],
    ['+', 'image', 'zoomIn'],
    ['+', 'video', undefined],
    ['R', 'image', 'rotatePicture'],
    ['Escape', 'editor', 'closeFile'],
    ['Escape', 'card', 'closeFile'],
  ] satisfies [string, Viewer, string | undefined][])(
    'the key %s in the viewer %s starts the action %s',
    (keys, viewer, id) => {
      expect(findAction(keys, openedIn(viewer, 'admin'))?.id).toBe(id)
    },
  )

  test('without the modify right there is no save action, and Ctrl+S downloads @spec-6.1', () => {
    expect(findAction('Ctrl+S', openedIn('editor', 'download'))?.id).toBe('download')
  })

  test('a rendered text has no find and no wrap action', () => {
    const now = { ...openedIn('editor', 'admin'), isRendered: true, targets: [MARKDOWN] }
    expect(findAction('Ctrl+F', now)).toBeUndefined()
    expect(findAction('Ctrl+S', now)?.id).toBe('save')
  })

  test('Ctrl+C copies selected text as text', () => {
    const now = contextOf({ targets: ITEMS.slice(0, 1) }, 'admin')
    expect(findAction('Ctrl+C', now)?.id).toBe('copy')
    expect(findAction('Ctrl+C', { ...now, hasSelectedText: true })).toBeUndefined()
  })

  test('Ctrl+Z and Ctrl+Shift+Z are available only if there is something to undo or redo', () => {
    expect(findAction('Ctrl+Z', contextOf({}, 'admin'))).toBeUndefined()
    expect(findAction('Ctrl+Z', contextOf({ canUndo: true }, 'admin'))?.id).toBe('undo')
    expect(findAction('Ctrl+Shift+Z', contextOf({ canRedo: true }, 'admin'))?.id).toBe('redo')
  })

  test('Ctrl+Z is available on every page, except in the editor, where it belongs to the text', () => {
    const keys = (changes: Partial<ActionContext>) =>
      findAction('Ctrl+Z', contextOf({ canUndo: true, ...changes }, 'admin'))?.id
    expect(keys({ page: 'elsewhere' })).toBe('undo')
    expect(keys({ page: 'file', viewer: 'image' })).toBe('undo')
    expect(keys({ page: 'file', viewer: 'editor', isQuickLook: true })).toBe('undo')
    expect(keys({ page: 'file', viewer: 'editor' })).toBeUndefined()
  })

  test('one archive is extracted with the create and download rights, and nothing else is', () => {
    const archive = entry('/docs/a.tar.gz')
    const folder = { ...entry('/docs/a.zip'), isDir: true }
    const ids = (targets: ActionContext['targets'], ...granted: Permission[]) =>
      idsOn('item', contextOf({ targets }, ...granted)).includes('extract')
    expect(ids([archive], 'create', 'download')).toBe(true)
    expect(ids([archive], 'create')).toBe(false)
    expect(ids([archive], 'download')).toBe(false)
    const onPage = contextOf({ page: 'file', targets: [archive] }, 'create', 'download')
    expect(idsOn('more', onPage)).toContain('extract')
    for (const targets of [[MARKDOWN], [folder], [archive, archive]]) {
      expect(ids(targets, 'create', 'download')).toBe(false)
    }
  })

  test('the import action requires a server that imports and the create right', () => {
    const offers = (canImport: boolean, ...granted: Permission[]) =>
      idsOn('page', contextOf({ canImport, targets: [] }, ...granted)).includes('import')
    expect([offers(true, 'create'), offers(false, 'create'), offers(true)]).toEqual([
      true,
      false,
      false,
    ])
  })

  test('checksum actions apply to one folder: verifying requires download, writing also requires create', () => {
    const folder = { ...entry('/docs/a'), isDir: true }
    const ids = (targets: ActionContext['targets'], ...granted: Permission[]) =>
      idsOn('item', contextOf({ targets }, ...granted)).filter((id) => id.endsWith('Sums'))
    expect(ids([folder], 'create', 'download')).toEqual(['writeSums', 'verifySums'])
    expect(ids([folder], 'download')).toEqual(['verifySums'])
    expect(ids([folder], 'create')).toEqual([])
    expect(ids([MARKDOWN], 'create', 'download')).toEqual([])
    expect(ids([folder, folder], 'create', 'download')).toEqual([])
  })

  test.each([
    [
      'create',
      [
        'newFolder',
        'newFile',
        'upload',
        'uploadFiles',
        'uploadFolder',
        'paste',
        'copy',
        'copyTo',
        'compress',
      ],
    ],
    ['rename', ['rename', 'moveTo', 'moveAgain', 'cut']],
    ['delete', ['delete']],
    ['download', ['download', 'share', 'compress']],
    ['share', ['share']],
  ] satisfies [Permission, string[]][])(
    'a user without the permission %s has no action %p',
    (permission, ids) => {
      const changes = { targets: ITEMS.slice(0, 1), pasteVerb: 'copy' } as const
      const all = ['create', 'rename', 'modify', 'delete', 'share', 'download'] as const
      const without = contextOf(changes, ...all.filter((one) => one !== permission))
      const possible = (now: ActionContext) =>
        actions.filter((row) => row.when(now)).map(({ id }) => id)
      const lost = possible(contextOf(changes, ...all)).filter(
        (id) => !possible(without).includes(id),
      )
      expect(lost.toSorted()).toEqual(ids.toSorted())
    },
  )

  test.each([
    ['move', 'rename'],
    ['copy', 'create'],
  ] satisfies [ActionContext['pasteVerb'], Permission][])(
    'pasting as a %s requires %s',
    (pasteVerb, asked) => {
      const all = permissionsOf('admin')
      const others = (Object.keys(all) as Permission[]).filter(
        (one) => one !== asked && one !== 'admin',
      )
      expect(findAction('Ctrl+V', contextOf({ pasteVerb }, asked))?.id).toBe('paste')
      expect(findAction('Ctrl+V', contextOf({ pasteVerb }, ...others))?.id).toBeUndefined()
    },
  )

  test('the actions of an entry depend on the number of selected entries @spec-2.20', () => {
    const one = idsOn('item', contextOf({ targets: ITEMS.slice(0, 1) }, 'admin'))
    const two = idsOn('item', contextOf({ targets: ITEMS.slice(0, 2) }, 'admin'))
    expect(one).toContain('open')
    expect(one).toContain('rename')
    expect(two).not.toContain('open')
    expect(two).toContain('rename')
    expect(two).toContain('share')
    const results = contextOf({ targets: ITEMS.slice(0, 2), isFinder: true }, 'admin')
    expect(idsOn('item', results)).not.toContain('rename')
    expect(idsOn('item', contextOf({ targets: ITEMS.slice(0, 2) }, 'delete'))).toEqual(
      expect.not.arrayContaining(['rename', 'share']),
    )
  })

  test('no surface offers the same action twice', () => {
    for (const groups of Object.values(SURFACES)) {
      const ids: readonly string[] = groups.flat()
      expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
    }
  })

  test('Quick Look is available for the entry at the cursor, also if nothing is selected', () => {
    const quickLook = actions.find(({ id }) => id === 'quickLook')
    expect(quickLook?.when(contextOf({}))).toBe(false)
    expect(quickLook?.when(contextOf({ cursorEntry: ITEMS[1] }))).toBe(true)
  })

  test('a user with read-only rights has no changing action @spec-2.12 @spec-6.1', () => {
    const now = contextOf({ targets: ITEMS.slice(0, 1), pasteVerb: 'move' })
    const shown = (Object.keys(SURFACES) as Surface[]).flatMap((surface) => idsOn(surface, now))
    const harmless = [
      ...[
        'open',
        'openInNewTab',
        'quickLook',
        'details',
        'selectMultiple',
        'selectAll',
        'refresh',
        'switchView',
        'filter',
      ],
      ...['viewAsList', 'viewAsMosaic', 'viewAsGallery'],
    ]
    expect(shown.filter((id) => !harmless.includes(id))).toEqual([])
  })
})

describe('a folder that a rule denies, and that leads to an allowed one', () => {
  const LEADING = entry('/docs/way/', { listOnly: true })
  const idsOf = (changes: Partial<ActionContext>) =>
    actions.filter((action) => action.when(contextOf(changes, 'admin'))).map(({ id }) => id)
  const REFUSED_IN_IT = [
    'newFolder',
    'newFile',
    'upload',
    'uploadFolder',
    'import',
    'paste',
  ] as const
  const REFUSED_WITH_IT = ['rename', 'delete', 'copy', 'cut', 'copyTo', 'moveTo', 'share'] as const

  test('nothing is offered in it that the server refuses', () => {
    const open = { canImport: true, pasteVerb: 'copy' } as const
    expect(idsOf(open)).toContainEqual('paste')
    expect(idsOf(open)).toEqual(expect.arrayContaining([...REFUSED_IN_IT, 'share']))
    const denied = idsOf({ ...open, isListOnly: true })
    for (const id of [...REFUSED_IN_IT, 'share']) expect(denied).not.toContain(id)
  })

  test('nothing is offered for it as an entry that the server refuses, and the rest of its folder is', () => {
    const ids = idsOf({ items: [...ITEMS, LEADING], targets: [LEADING] })
    for (const id of REFUSED_WITH_IT) expect(ids).not.toContain(id)
    expect(ids).toEqual(expect.arrayContaining(['open', 'newFolder', 'upload']))
  })

  test('an allowed entry in it is copied, moved and deleted, but not renamed', () => {
    const ids = idsOf({ isListOnly: true, targets: ITEMS.slice(0, 1) })
    expect(ids).toEqual(expect.arrayContaining(['copy', 'cut', 'moveTo', 'delete', 'download']))
    for (const id of ['rename', 'compress']) expect(ids).not.toContain(id)
  })
})
