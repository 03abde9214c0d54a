/** What the help lists: actions with keys, and what the pointer does, in groups. */
import type { ActionId } from '#ui/actions/registry.ts'
import type { MessageKey } from '#ui/i18n/i18n.ts'

/** What a key or the pointer does. `does` is the last part of the key of the message that describes it. */
interface Gesture {
  keys?: readonly string[]
  gesture?: 'click' | 'doubleClick' | 'longPress'
  does:
    | 'space'
    | 'enter'
    | 'click'
    | 'doubleClick'
    | 'ctrlSpace'
    | 'ctrlClick'
    | 'shiftClick'
    | 'longPress'
}

export interface HelpGroup {
  title: MessageKey
  actions: readonly ActionId[]
  gestures: readonly Gesture[]
}

/** Each action with keys is in one group. */
export const HELP_GROUPS: readonly HelpGroup[] = [
  {
    title: 'listing.label',
    actions: ['copy', 'cut', 'paste', 'rename', 'delete', 'download', 'undo', 'redo'],
    gestures: [
      { keys: ['Enter'], does: 'enter' },
      { gesture: 'doubleClick', does: 'doubleClick' },
      { keys: ['Space'], does: 'space' },
    ],
  },
  {
    title: 'places.selection',
    actions: ['selectAll', 'clearSelection'],
    gestures: [
      { gesture: 'click', does: 'click' },
      { keys: ['Ctrl'], gesture: 'click', does: 'ctrlClick' },
      { keys: ['Shift'], gesture: 'click', does: 'shiftClick' },
      { keys: ['Ctrl+Space'], does: 'ctrlSpace' },
      { gesture: 'longPress', does: 'longPress' },
    ],
  },
  {
    title: 'places.views',
    actions: ['search', 'filter', 'closeFilter', 'goUp', 'switchView', 'details', 'shell', 'help'],
    gestures: [],
  },
  {
    title: 'viewer.tools',
    actions: [
      'previous',
      'next',
      'zoomIn',
      'zoomOut',
      'fitPicture',
      'originalSize',
      'rotatePicture',
      'cropPicture',
      'pictureFacts',
      'inFull',
      'fullScreen',
      'closeFile',
    ],
    gestures: [],
  },
  { title: 'kinds.text', actions: ['save', 'find', 'goToLine', 'wrapLines'], gestures: [] },
]

/** What a finger does. */
export const TOUCH_GESTURES = [
  { gesture: 'tap', label: 'prompts.help.enter' },
  { gesture: 'longPress', label: 'prompts.help.longPress' },
  { gesture: 'pull', label: 'actions.refresh' },
  { gesture: 'swipe', label: 'prompts.help.step' },
  { gesture: 'pinch', label: 'prompts.help.zoom' },
] as const
