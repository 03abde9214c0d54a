/**
 * The surfaces that offer actions (bars and menus), with the order and groups of their actions. Unavailable actions
 * are left out.
 */
import { t } from '#ui/i18n/i18n.ts'
import type { ActionContext } from '#ui/state/action-context.ts'
import { type ActionId, actionOf, perform } from './registry.ts'
import type { Action } from './types.ts'

type Groups = readonly (readonly ActionId[])[]

export const SURFACES = {
  /** The top bar of a file, and of a folder without a selection. */
  bar: [
    ['share', 'viewRaw', 'download', 'downloadText', 'rename', 'copyTo', 'moveTo', 'delete'],
    [
      'paste',
      'find',
      'wrapLines',
      'showRendered',
      'showText',
      'showTable',
      'inFull',
      'fullScreen',
      'shell',
    ],
    ['details', 'selectMultiple', 'closeFile'],
  ],
  /** The end of the top bar during a selection. It is the same as without one, so that these buttons do not move. */
  barEnd: [['shell'], ['details', 'selectMultiple']],
  /** Actions of the top bar that are in its "more" menu if the window is narrow. */
  barMore: [['rename', 'copyTo', 'moveTo', 'extract', 'compress']],
  /** The actions that replace the breadcrumbs during a selection, and the "more" menu beside them. */
  chosen: [['download', 'downloadAs', 'share', 'moveTo', 'copyTo', 'rename', 'delete']],
  chosenMore: [
    ['open', 'openInNewTab', 'quickLook'],
    ['copy', 'cut', 'paste', 'moveAgain'],
    ['extract', 'compress', 'writeSums', 'verifySums'],
    ['addFavourite', 'removeFavourite', 'details', 'selectAll', 'selectMultiple'],
  ],
  /** The menu of the upload button. */
  upload: [['uploadFiles', 'uploadFolder', 'import']],
  /** How a folder is shown: exactly one is active. */
  views: [['viewAsList', 'viewAsMosaic', 'viewAsGallery']],
  /** "More" in the top bar of narrow windows. */
  more: [
    ['previous', 'next'],
    ['find', 'goToLine', 'wrapLines', 'largerText', 'smallerText'],
    [
      'showRendered',
      'showText',
      'showTable',
      'inFull',
      'fullScreen',
      'rotatePicture',
      'cropPicture',
      'pictureFacts',
    ],
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
    ['newFolder', 'newFile', 'uploadFiles', 'uploadFolder', 'import'],
    ['addFavourite', 'removeFavourite', 'details', 'shell', 'refresh'],
    ['delete'],
  ],
  /** The results of a search. */
  finder: [['quickLook', 'openInNewTab', 'download', 'share', 'moveTo', 'copyTo', 'delete']],
  /** The context menu of an entry. */
  item: [
    ['open', 'openInNewTab', 'quickLook', 'download', 'downloadAs', 'share'],
    ['copy', 'cut', 'copyTo', 'moveTo', 'moveAgain', 'rename', 'extract', 'compress'],
    ['writeSums', 'verifySums'],
    ['addFavourite', 'removeFavourite', 'details', 'delete'],
  ],
  /** The context menu of the page. */
  page: [
    ['newFolder', 'newFile'],
    ['uploadFiles', 'uploadFolder', 'import'],
    ['paste', 'selectAll', 'refresh'],
    ['undo', 'redo'],
    ['switchView', 'filter'],
    ['downloadAs', 'share', 'addFavourite', 'removeFavourite', 'details'],
  ],
  /** The menu of the floating "+" button. */
  add: [
    ['takePhoto', 'uploadFiles', 'uploadFolder', 'import'],
    ['newFolder', 'newFile'],
  ],
  /** The bar below a selection in narrow windows, and its "more" menu. */
  selection: [['share', 'download', 'moveTo', 'delete']],
  selectionMore: [
    ['copy', 'cut', 'copyTo', 'moveAgain', 'rename', 'extract', 'compress'],
    ['writeSums', 'verifySums'],
    ['downloadAs', 'quickLook', 'addFavourite', 'removeFavourite', 'details', 'selectAll'],
  ],
} as const satisfies Record<string, Groups>

export type Surface = keyof typeof SURFACES

/** @returns the available actions of a surface, in their groups; empty groups are left out */
export function actionsOn(surface: Surface, context: ActionContext): Action[][] {
  const groups: Groups = SURFACES[surface]
  return groups
    .map((ids) => ids.map(actionOf).filter((action) => action.when(context)))
    .filter((group) => group.length > 0)
}

/** @returns the available actions of a surface as menu items */
export function menuItems(surface: Surface, context: ActionContext) {
  return actionsOn(surface, context).flatMap((group, groupIndex) =>
    group.map((action, index) => ({
      id: action.id,
      label: actionLabel(action, context),
      icon: action.icon,
      mirror: action.mirror ?? false,
      keys: action.keys?.[0],
      danger: action.danger ?? false,
      startsGroup: groupIndex > 0 && index === 0,
      onSelect: () => void perform(action),
    })),
  )
}

/** @returns the actions of a surface as toggle buttons */
export function toggleButtons(surface: Surface, context: ActionContext) {
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

/** @returns the label of the action */
export function actionLabel(action: Action, context: ActionContext): string {
  return t(action.label, { count: context.targets.length, ...action.labelValues?.() })
}
