/** Metadata of pictures, videos and audio files (docs/api.md 28). */

/** The metadata for a gallery. */
export interface AlbumFacts {
  /** Pixels, after rotation. */
  width?: number
  height?: number
  /** Playing time. */
  seconds?: number
  /** `2026-05-01T12:00:00` by the camera's clock; with `+02:00` or `Z` if its time zone is known. */
  taken?: string
}

export interface MediaFacts extends AlbumFacts {
  /** The tags of a recording. */
  title?: string
  artist?: string
  album?: string
  camera?: string
  lens?: string
  exposure?: Exposure
  position?: GeoPosition
}

export interface Exposure {
  seconds?: number
  /** The f-number. */
  aperture?: number
  iso?: number
  /** Millimetres. */
  focalLength?: number
}

/** A part of an upright picture, in whole pixels. */
export interface PictureArea {
  left: number
  top: number
  width: number
  height: number
}

/** Subtitles that are stored in the file of a film. */
export interface FilmSubtitle {
  /** The number of its track, by which it is requested. */
  index: number
  /** A tag of BCP 47, such as `en`. */
  language?: string
  title?: string
}

/** Degrees, positive to the north and east. */
export interface GeoPosition {
  latitude: number
  longitude: number
}

/** Pictures and videos of a folder, in the order of their names. */
export interface FolderMedia {
  items: (AlbumFacts & { name: string })[]
  /** `from` of the next request; absent at the end. */
  next?: number
}
