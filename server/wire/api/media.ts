/** Metadata of pictures, videos and audio files (docs/api.md 28). */
import { z } from 'zod'

/** The metadata for a gallery. */
export const albumFactsShape = z.object({
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
        'the time by the clock of the camera, such as 2026-05-01T12:00:00, with its time zone if the file contains it',
    })
    .exactOptional(),
})

export const mediaFactsShape = albumFactsShape.extend({
  title: z.string().meta({ description: 'the tags of a recording' }).exactOptional(),
  artist: z.string().exactOptional(),
  album: z.string().exactOptional(),
  camera: z.string().exactOptional(),
  lens: z.string().exactOptional(),
  exposure: z
    .object({
      seconds: z.number().exactOptional(),
      aperture: z.number().meta({ description: 'the f-number' }).exactOptional(),
      iso: z.number().exactOptional(),
      focalLength: z.number().meta({ description: 'millimetres' }).exactOptional(),
    })
    .exactOptional(),
  position: z
    .object({ latitude: z.number(), longitude: z.number() })
    .meta({ description: 'degrees, positive to the north and east' })
    .exactOptional(),
})

/** Subtitles that are stored in the file of a film. */
const filmSubtitleShape = z.object({
  index: z.number().meta({ description: 'the number of its track, by which it is requested' }),
  language: z.string().meta({ description: 'a tag of BCP 47, such as en' }).exactOptional(),
  title: z.string().exactOptional(),
})

export const filmSubtitlesShape = z.object({ items: z.array(filmSubtitleShape) })

/** Pictures and videos of a folder, in the order of their names. */
export const folderMediaShape = z.object({
  items: z.array(albumFactsShape.extend({ name: z.string() })),
  next: z
    .number()
    .meta({ description: '`from` of the next request; absent at the end' })
    .exactOptional(),
})

export type AlbumFacts = z.infer<typeof albumFactsShape>
export type MediaFacts = z.infer<typeof mediaFactsShape>
export type Exposure = NonNullable<MediaFacts['exposure']>
export type GeoPosition = NonNullable<MediaFacts['position']>
export type FilmSubtitle = z.infer<typeof filmSubtitleShape>
export type FolderMedia = z.infer<typeof folderMediaShape>

/** A part of an upright picture, in whole pixels. */
export interface PictureArea {
  left: number
  top: number
  width: number
  height: number
}
