/** The options for the trash and the journal. */
import type { Option } from './option.ts'

export const TRASH_OPTIONS = [
  {
    key: 'trash',
    type: 'flag',
    default: 'true',
    help: 'keep deleted files and earlier versions, so that a change can be undone',
    isLive: false,
  },
  {
    key: 'trashExcept',
    type: 'paths',
    value: 'folders',
    default: '',
    help: 'folders of the served tree in which nothing is kept, separated by commas, such as /scratch',
    isLive: false,
  },
  {
    key: 'trashDays',
    type: 'number',
    default: '30',
    range: [1, 3650],
    help: 'for how many days deleted files and earlier versions are kept',
    isLive: false,
  },
  {
    key: 'trashShare',
    type: 'number',
    default: '10',
    range: [0, 100],
    help: 'the maximum share of the disk for the trash, in percent; the oldest items are deleted first',
    isLive: false,
  },
  {
    key: 'trashVersions',
    type: 'number',
    default: '20',
    range: [0, 10_000],
    help: 'how many earlier versions of one file are kept',
    isLive: false,
  },
  {
    key: 'journalDays',
    type: 'number',
    default: '90',
    range: [1, 3650],
    help: 'for how many days changes of files are remembered',
    isLive: false,
  },
  {
    key: 'journalEntries',
    type: 'number',
    default: '100000',
    range: [1, 100_000_000],
    help: 'how many changes of files are remembered at most',
    isLive: false,
  },
  {
    key: 'journalSize',
    type: 'size',
    default: '256MB',
    range: [2 ** 20, 2 ** 40],
    help: 'the maximum size of the journal of changes in the database; the oldest entries are deleted first',
    isLive: false,
  },
] as const satisfies readonly Option[]
