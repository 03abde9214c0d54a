/** The schemas of media metadata, for the API description. */
import { z } from 'zod'
import type { AlbumFacts, FilmSubtitle, FolderMedia, MediaFacts } from '../api/media.ts'

const albumFields = {
  width: z
    .number()
    .meta({ description: 'pixels, after the rotation that the file specifies' })
    .exactOptional(),
  height: z.number().exactOptional(),
  seconds: z.number().meta({ description: 'the duration in seconds' }).exactOptional(),
  taken: z
    .string()
    .meta({
      description:
        'the time by the clock of the camera, with its time zone if the file contains it',
    })
    .exactOptional(),
}

export const albumFactsShape: z.ZodType<AlbumFacts> = z.object(albumFields)

export const folderMediaShape: z.ZodType<FolderMedia> = z.object({
  items: z.array(z.object({ name: z.string(), ...albumFields })),
  next: z.number().exactOptional(),
})

export const filmSubtitlesShape: z.ZodType<{ items: FilmSubtitle[] }> = z.object({
  items: z.array(
    z.object({
      index: z.number().meta({ description: 'the number of its track' }),
      language: z.string().meta({ description: 'a tag of BCP 47' }).exactOptional(),
      title: z.string().exactOptional(),
    }),
  ),
})

export const mediaFactsShape: z.ZodType<MediaFacts> = z.object({
  ...albumFields,
  title: z.string().meta({ description: 'the tags of a recording' }).exactOptional(),
  artist: z.string().exactOptional(),
  album: z.string().exactOptional(),
  camera: z.string().exactOptional(),
  lens: z.string().exactOptional(),
  exposure: z
    .object({
      seconds: z.number().exactOptional(),
      aperture: z.number().exactOptional(),
      iso: z.number().exactOptional(),
      focalLength: z.number().meta({ description: 'millimetres' }).exactOptional(),
    })
    .exactOptional(),
  position: z.object({ latitude: z.number(), longitude: z.number() }).exactOptional(),
})
