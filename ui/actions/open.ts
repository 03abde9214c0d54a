/** Actions for the shown file: its text, its picture, and its siblings. */

import { isMarkdown, isTable, type Viewer } from '#ui/lib/entries/viewers.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { isRightToLeft } from '#ui/lib/page/direction.ts'
import { AS_TEXT, goTo, goUpTo } from '#ui/lib/page/location.ts'
import type { ActionContext } from '#ui/state/action-context.ts'
import {
  openQuickLook,
  openQuickLookOverFinder,
  showInQuickLook,
} from '#ui/state/file/quick-look.ts'
import { findInText, goToLine, mayLeave, saveText } from '#ui/state/file/text.ts'
import { viewerState } from '#ui/state/file/viewer.ts'
import { preselect } from '#ui/state/folder/listing.ts'
import { readerPreferences, resizeText } from '#ui/state/view/reader-preferences.ts'
import type { Entry } from '#wire/api/entry.ts'
import { nameOf, parentPath, ROOT } from '#wire/paths.ts'
import type { Action } from './types.ts'

/** Viewers whose files a browser can show without this page. */
const SHOWN_BY_BROWSERS: readonly Viewer[] = ['image', 'video', 'audio', 'pdf']

/** Viewers whose content is worth the whole screen. A film has its own full screen, with its controls. */
const FULL_SCREEN: readonly Viewer[] = ['image', 'pdf', 'document', 'sheets', 'book', 'table']

/** Viewers in which the arrow keys scroll instead of showing the next file. */
const SCROLLED: readonly Viewer[] = ['editor', 'table', 'book', 'archive']

export const openActions = [
  {
    // The listing handles this key itself: a space may be part of a typed name.
    id: 'quickLook',
    label: 'actions.quickLook',
    icon: 'eye',
    when: ({ page, targets, cursorEntry }) =>
      page === 'folder' && (targets.length > 0 || cursorEntry !== undefined),
    run(context) {
      const [first] = context.targets
      if (context.isFinder && first) openQuickLookOverFinder(first, context.items)
      else openQuickLook(quickLookEntries(context), context.items)
    },
  },
  {
    id: 'save',
    label: 'editor.save',
    icon: 'save',
    keys: ['Ctrl+S'],
    inText: true,
    when: mayWrite,
    run: async () => void (await saveText()),
  },
  {
    id: 'find',
    label: 'editor.find',
    icon: 'search',
    keys: ['Ctrl+F', 'Ctrl+H'],
    inText: true,
    when: isSource,
    run: findInText,
  },
  {
    id: 'goToLine',
    label: 'editor.goToLine',
    icon: 'arrow-down-to-line',
    keys: ['Ctrl+G'],
    inText: true,
    when: isSource,
    run: goToLine,
  },
  {
    id: 'wrapLines',
    label: 'editor.wrap',
    icon: 'wrap-text',
    keys: ['Alt+Z'],
    inText: true,
    when: isSource,
    pressed: ({ wraps }) => wraps,
    run({ wraps }) {
      readerPreferences.wrap = !wraps
    },
  },
  {
    id: 'largerText',
    label: 'editor.larger',
    icon: 'plus',
    when: isSource,
    run: () => resizeText(1),
  },
  {
    id: 'smallerText',
    label: 'editor.smaller',
    icon: 'minus',
    when: isSource,
    run: () => resizeText(-1),
  },
  {
    id: 'showRendered',
    label: 'editor.rendered',
    icon: 'book-open-text',
    when: (context) => isSource(context) && context.targets.some(isMarkdown),
    run() {
      readerPreferences.rendered = true
      viewerState.showsSource = false
    },
  },
  {
    id: 'showText',
    label: 'viewer.asText',
    icon: 'file-text',
    when: (context) =>
      context.viewer === 'table' || (context.viewer === 'editor' && !isSource(context)),
    run({ viewer, path, urls }) {
      if (viewer === 'table') goTo(urls.page(path, false) + AS_TEXT, { replace: true })
      else readerPreferences.rendered = false
    },
  },
  {
    id: 'showTable',
    label: 'viewer.asTable',
    icon: 'table',
    when: ({ viewer, targets, may }) =>
      (viewer === 'editor' || viewer === 'text') && targets.some(isTable) && may('download'),
    run: ({ path, urls }) => goTo(urls.page(path, false), { replace: true }),
  },
  {
    id: 'previous',
    label: 'viewer.previous',
    icon: 'chevron-left',
    mirror: true,
    get keys() {
      return isRightToLeft() ? ['ArrowRight'] : ['ArrowLeft']
    },
    when: (context) => canStep(context) && context.previous !== undefined,
    run: (context) => stepTo(context.previous, context),
  },
  {
    id: 'next',
    label: 'viewer.next',
    icon: 'chevron-right',
    mirror: true,
    get keys() {
      return [isRightToLeft() ? 'ArrowLeft' : 'ArrowRight', 'Enter']
    },
    when: (context) => canStep(context) && context.next !== undefined,
    run: (context) => stepTo(context.next, context),
  },
  {
    id: 'zoomIn',
    label: 'viewer.zoomIn',
    icon: 'plus',
    keys: ['+', '='],
    when: isPicture,
    run: ({ zoomControl }) => zoomControl?.zoomBy(UI_LIMITS.zoomStep),
  },
  {
    id: 'zoomOut',
    label: 'viewer.zoomOut',
    icon: 'minus',
    keys: ['-'],
    when: isPicture,
    run: ({ zoomControl }) => zoomControl?.zoomBy(1 / UI_LIMITS.zoomStep),
  },
  {
    id: 'fitPicture',
    label: 'viewer.fit',
    icon: 'maximize',
    keys: ['0'],
    when: isPicture,
    run: ({ zoomControl }) => zoomControl?.fit(),
  },
  {
    id: 'originalSize',
    label: 'viewer.originalSize',
    icon: 'image',
    keys: ['1'],
    when: isPicture,
    run: ({ zoomControl }) => zoomControl?.originalSize(),
  },
  {
    id: 'rotatePicture',
    label: 'viewer.rotate',
    icon: 'rotate-cw',
    keys: ['R'],
    when: isPicture,
    run: ({ zoomControl }) => zoomControl?.rotate(),
  },
  {
    id: 'cropPicture',
    label: 'viewer.crop',
    icon: 'crop',
    keys: ['C'],
    // Until the picture is shown, it is not known whether the server can crop it.
    when: (context) =>
      isPicture(context) &&
      context.may('modify') &&
      (!context.zoomControl || context.zoomControl.crop !== undefined),
    run: ({ zoomControl }) => zoomControl?.crop?.(),
  },
  {
    id: 'pictureFacts',
    label: 'viewer.facts',
    icon: 'camera',
    keys: ['I'],
    when: isPicture,
    pressed: ({ hasPictureFacts }) => hasPictureFacts,
    run({ hasPictureFacts }) {
      readerPreferences.pictureFacts = !hasPictureFacts
    },
  },
  {
    id: 'fullScreen',
    label: 'gallery.full',
    icon: 'monitor',
    keys: ['F'],
    // A shared file is a part of its page.
    when: ({ viewer = 'card', share, path }) =>
      document.fullscreenEnabled && FULL_SCREEN.includes(viewer) && !(share && path === ROOT),
    // The whole document, so that dialogs and messages stay visible.
    run: () =>
      document.fullscreenElement
        ? document.exitFullscreen()
        : document.documentElement.requestFullscreen(),
  },
  {
    id: 'inFull',
    label: 'viewer.inFull',
    icon: 'hd',
    keys: ['H'],
    when: (context) => isPicture(context) && context.hasPreview,
    pressed: ({ showsOriginal }) => showsOriginal,
    run({ showsOriginal }) {
      viewerState.showsOriginal = !showsOriginal
    },
  },
  {
    id: 'viewRaw',
    label: 'viewer.raw',
    icon: 'external-link',
    when: ({ viewer = 'card' }) => SHOWN_BY_BROWSERS.includes(viewer),
    run: ({ path, urls }) => void window.open(urls.content(path, true), '_blank', 'noopener'),
  },
  {
    id: 'closeFile',
    label: 'viewer.close',
    icon: 'x',
    keys: ['Escape'],
    inText: true,
    when: ({ page }) => page === 'file',
    async run({ path, urls }) {
      if (!(await mayLeave())) return
      preselect([nameOf(path)])
      goUpTo(urls.page(parentPath(path), true))
    },
  },
] as const satisfies readonly Action[]

/** The entry at the cursor, if it is not selected; else the selected entries. */
function quickLookEntries({ targets, cursorEntry }: ActionContext): readonly Entry[] {
  return cursorEntry && !targets.includes(cursorEntry) ? [cursorEntry] : targets
}

/** Whether the text on the page may be edited: by this user, and in this file. */
export function mayWrite({ viewer, targets, may }: ActionContext): boolean {
  return viewer === 'editor' && targets[0]?.type === 'text' && may('modify')
}

/** Whether the text is shown as source and not rendered. */
function isSource({ viewer, targets, isRendered }: ActionContext): boolean {
  return viewer === 'editor' && !(isRendered && targets.some(isMarkdown))
}

function isPicture({ viewer }: ActionContext): boolean {
  return viewer === 'image'
}

/** Whether the arrow keys may show the next file: not in viewers in which they scroll. */
export function canStep({ viewer, isQuickLook }: ActionContext): boolean {
  return isQuickLook || viewer === undefined || !SCROLLED.includes(viewer)
}

/**
 * Shows the next or previous file. In Quick Look the URL stays. On the page of a file the history entry is replaced, so
 * that the back button returns to the folder, and not to each file that was shown.
 */
export function stepTo(
  entry: Entry | undefined,
  { isQuickLook, urls }: Pick<ActionContext, 'isQuickLook' | 'urls'>,
): void {
  if (!entry) return
  viewerState.autoplays = viewerState.isPlaying
  if (isQuickLook) {
    showInQuickLook(entry)
    return
  }
  const path = entry.path
  viewerState.steppedTo = path
  goTo(urls.page(path, false), { replace: true })
}
