/** Which panels are open. What a person chose is remembered in the browser. */
import { proxy, subscribe } from 'valtio'
import { remember, rememberedChoices } from '#ui/lib/remembered.ts'
import type { ArchiveToken } from '#wire/archive-formats.ts'

interface Layout {
  /** Wide windows: the sidebar shows icons only. */
  sidebarFolded: boolean
  detailsOpen: boolean
  /** Of the list's column of names, in pixels; null: as wide as there is room. */
  nameWidth: number | null
  /** Null until one is chosen: as the instance says. */
  theme: 'system' | 'light' | 'dark' | null
  /** Of the archives that were downloaded last. */
  archiveFormat: ArchiveToken
  /** Smaller windows: the sidebar lies over the page. Not remembered. */
  drawerOpen: boolean
}

const STORAGE_KEY = 'filemgr.layout'
const DEFAULTS: Layout = {
  sidebarFolded: false,
  detailsOpen: false,
  nameWidth: null,
  theme: null,
  archiveFormat: 'zip',
  drawerOpen: false,
}

export const layout = proxy<Layout>(rememberedChoices(STORAGE_KEY, DEFAULTS))

subscribe(layout, () => {
  const { drawerOpen: _, ...kept } = layout
  remember(STORAGE_KEY, kept)
})
