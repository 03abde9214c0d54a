/** URLs of content in the trash. */
import { API, queryString } from '#wire/api/routes.ts'
import { withBase } from '../page/location.ts'

/** A picture of content in the trash. */
export function trashPreviewUrl(size: 'thumb' | 'small', id: number): string {
  return withBase(`${API.trashPreview}/${size}${queryString({ id })}`)
}
