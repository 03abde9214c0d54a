/** Which actions stand where, in which order and groups. What cannot be done now is left out. */
import { t } from '#ui/i18n/i18n.ts'
import type { ActionContext } from '#ui/state/action-context.ts'
import { type ActionId, actionOf, perform } from './registry.ts'
import type { Action } from './types.ts'

type Groups = readonly (readonly ActionId[])[]

export const ARRANGEMENT = {
  /** The top bar of a file, and of a folder where nothing is selected. */
  bar: [
    ['share', 'viewRaw', 'download', 'downloadText', 'rename', 'copyTo', 'moveTo', 'delete'],
    ['paste', 'find', 'wrapLines', 'showRendered', 'showText', 'showTable', 'inFull', 'shell'],
    ['details', 'selectMultiple', 'closeFile'],
  ],
  /** The same beside a selection: its end, so that what stays never moves. */
  barEnd: [['shell'], ['details', 'selectMultiple']],
  /** What of the top bar goes into its "more" where it has little room. */
  barMore: [['rename', 'copyTo', 'moveTo', 'extract', 'compress']],
  /** What stands in place of the path while items are selected, and its "more". */
  chosen: [['download', 'share', 'moveTo', 'copyTo', 'rename', 'delete']],
  chosenMore: [
    ['downloadAs', 'open', 'quickLook'],
    ['copy', 'cut', 'paste'],
    ['extract', 'compress'],
    ['details', 'selectAll', 'selectMultiple'],
  ],
  /** Beside the upload button. */
  upload: [['uploadFiles', 'uploadFolder']],
  /** How a folder is shown: of these one holds. */
  views: [['viewAsList', 'viewAsMosaic', 'viewAsGallery']],
  /** "More" in the top bar of narrow windows. */
  more: [
    ['previous', 'next'],
    ['find', 'goToLine', 'wrapLines', 'largerText', 'smallerText'],
    ['showRendered', 'showText', 'showTable', 'inFull', 'rotatePicture'],
    [
      'download',
      'downloadAs',
      'downloadText',
      'viewRaw',
      'share',
      'rename',
      'copyTo',
      'moveTo',
      'extract',
      'compress',
    ],
    ['paste', 'selectAll', 'selectMultiple'],
    ['undo', 'redo'],
    ['newFolder', 'newFile', 'uploadFiles', 'uploadFolder'],
    ['details', 'shell', 'refresh'],
    ['delete'],
  ],
  /** The context menu of an item. */
  item: [
    ['open', 'quickLook', 'download', 'downloadAs', 'share'],
    ['copy', 'cut', 'copyTo', 'moveTo', 'rename', 'extract', 'compress'],
    ['details', 'delete'],
  ],
  /** The context menu of the page. */
  page: [
    ['newFolder', 'newFile'],
    ['uploadFiles', 'uploadFolder'],
    ['paste', 'selectAll', 'refresh'],
    ['undo', 'redo'],
    ['switchView', 'filter'],
    ['downloadAs', 'share', 'details'],
  ],
  /** What the floating "+" offers. */
  add: [
    ['takePhoto', 'uploadFiles', 'uploadFolder'],
    ['newFolder', 'newFile'],
  ],
  /** The bar below a selection in narrow windows, and its "more". */
  selection: [['share', 'download', 'moveTo', 'delete']],
  selectionMore: [
    ['copy', 'cut', 'copyTo', 'rename', 'extract', 'compress'],
    ['downloadAs', 'quickLook', 'details', 'selectAll'],
  ],
} as const satisfies Record<string, Groups>

export type Surface = keyof typeof ARRANGEMENT

/** The actions of a surface that can be done now, in their groups; empty groups are gone. */
export function actionsOn(surface: Surface, context: ActionContext): Action[][] {
  const groups: Groups = ARRANGEMENT[surface]
  return groups
    .map((ids) => ids.map(actionOf).filter((action) => action.when(context)))
    .filter((group) => group.length > 0)
}

/** The same as items of a menu. */
export function menuItems(surface: Surface, context: ActionContext) {
  return actionsOn(surface, context).flatMap((group, at) =>
    group.map((action, index) => ({
      id: action.id,
      label: actionLabel(action, context),
      icon: action.icon,
      mirror: action.mirror ?? false,
      keys: action.keys?.[0],
      danger: action.danger ?? false,
      startsGroup: at > 0 && index === 0,
      onSelect: () => void perform(action),
    })),
  )
}

/** The actions of a surface as buttons that are pressed or not. */
export function pressables(surface: Surface, context: ActionContext) {
  return actionsOn(surface, context)
    .flat()
    .map((action) => ({
      id: action.id,
      label: actionLabel(action, context),
      icon: action.icon,
      pressed: action.pressed?.(context) ?? false,
      onSelect: () => void perform(action),
    }))
}

/** The action's words. */
export function actionLabel(action: Action, context: ActionContext): string {
  return t(action.label, { count: context.targets.length })
}
