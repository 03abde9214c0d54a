import { FavouriteList } from './FavouriteList.tsx'
import { FolderTree } from './FolderTree.tsx'
import { RecentList } from './RecentList.tsx'
import { SidebarResizer } from './SidebarResizer.tsx'
import { SidebarSection } from './SidebarSection.tsx'

/** The sections of the sidebar: favourite folders, recent files, and the folder tree. */
export function SidebarSections() {
  return (
    <>
      <SidebarSection name="favourites" dropsFavourites>
        <FavouriteList />
      </SidebarSection>
      <SidebarSection name="recent">
        <RecentList />
      </SidebarSection>
      <SidebarSection name="folders">
        <FolderTree />
      </SidebarSection>
      <SidebarResizer />
    </>
  )
}
