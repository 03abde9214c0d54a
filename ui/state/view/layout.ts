/** Open panels, columns, row height, theme and similar choices of the user. They are stored in the browser. */
import { proxy, subscribe } from 'valtio'
import { remember, rememberedChoices } from '#ui/lib/remembered.ts'
import type { ArchiveFormatName } from '#wire/formats/archive-formats.ts'

interface Layout {
  /** In wide windows the sidebar shows icons only. */
  sidebarFolded: boolean
  /** The width of the sidebar in pixels; null: the default. */
  sidebarWidth: number | null
  /** Whether there was a favourite folder: how to add one is then no longer explained. */
  hasUsedFavourites: boolean
  /** Whether the sections of the sidebar are open. */
  favouritesOpen: boolean
  recentOpen: boolean
  foldersOpen: boolean
  /** Whether the readme below a listing is open. */
  readmeOpen: boolean
  detailsOpen: boolean
  /** The height of the gallery's rows, as a factor of the default. */
  galleryHeight: number
  /** Whether the gallery groups pictures by the day on which they were taken. */
  galleryDays: boolean
  /** The width of the list's name column in pixels; null: all the space beside the other columns. */
  nameWidth: number | null
  /** The row height of folders without their own view. */
  density: 'comfortable' | 'compact'
  /** Optional columns of the list. */
  typeColumn: boolean
  sharedColumn: boolean
  /** Whether the list shows the sizes of folders. */
  folderSizes: boolean
  /** Null until the user chooses one: the default of the server applies. */
  theme: 'system' | 'light' | 'dark' | null
  /** The format of the last downloaded archive. */
  archiveFormat: ArchiveFormatName
  /** In narrow windows the sidebar is a drawer over the page. Not stored. */
  isDrawerOpen: boolean
}

const STORAGE_KEY = 'filemgr.layout'
/** The choices of a user who has chosen nothing. */
export const DEFAULT_LAYOUT: Readonly<Layout> = {
  sidebarFolded: false,
  sidebarWidth: null,
  hasUsedFavourites: false,
  favouritesOpen: true,
  recentOpen: false,
  foldersOpen: true,
  readmeOpen: true,
  detailsOpen: false,
  galleryHeight: 1,
  galleryDays: true,
  nameWidth: null,
  density: 'comfortable',
  typeColumn: false,
  sharedColumn: false,
  folderSizes: true,
  theme: null,
  archiveFormat: 'zip',
  isDrawerOpen: false,
}

export const layout = proxy<Layout>(rememberedChoices(STORAGE_KEY, DEFAULT_LAYOUT))

subscribe(layout, () => {
  const { isDrawerOpen: _, ...stored } = layout
  remember(STORAGE_KEY, stored)
})
