/** The metadata of pictures, films and recordings (docs/api.md 28). */

import { z } from 'zod'
import { folderMediaShape, mediaFactsShape } from '#wire/api/media.ts'
import { API } from '#wire/api/routes.ts'
import { MEDIA_QUERY, MEDIA_REFUSED, media } from '../content/media.ts'
import type { Route } from '../context/context.ts'
import { pathAfter } from '../request/input.ts'
import { jsonResponse } from '../response/present.ts'

export const mediaRoutes: Route[] = [
  {
    method: 'GET',
    path: `${API.media}/*`,
    needs: 'download',
    appPassword: 'any',
    docs: {
      summary:
        'Returns the metadata of a picture, film or recording; for a folder, what a gallery needs of each picture and film',
      query: MEDIA_QUERY,
      responses: {
        200: {
          description: 'of a file, or of a folder',
          shape: z.union([folderMediaShape, mediaFactsShape]),
        },
        ...MEDIA_REFUSED,
      },
    },
    slow: true,
    handle: async (call) =>
      jsonResponse(await media(call, call.var.scope, pathAfter(call, API.media).path)),
  },
]
