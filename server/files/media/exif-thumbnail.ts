/**
 * Removes the small picture in Exif metadata (its second directory: Exif 2.32, 4.5.4), which shows what a crop has
 * removed. The data is untrusted: every offset is checked.
 */

/** The mark of an Exif block with the begin of a TIFF file, for each order of bytes. */
const MARKS = ['Exif\0\0II*\0', 'Exif\0\0MM\0*'] as const
const MARK_BYTES = 6
const FIELD_BYTES = 12
const TAG = { start: 0x201, length: 0x202 } as const

/** @param file a JPEG or WebP file; it is changed in place */
export function clearExifThumbnail(file: Uint8Array): void {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  for (const mark of MARKS) {
    const at = bytes.indexOf(mark, 0, 'latin1')
    if (at >= 0) clearIn(file.subarray(at + MARK_BYTES), mark.includes('II'))
  }
}

function clearIn(tiff: Uint8Array, littleEndian: boolean): void {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength)
  const main = directoryAt(view, 4, littleEndian)
  if (!main) return
  const small = directoryAt(view, main.end, littleEndian)
  // The main directory becomes the last one.
  view.setUint32(main.end, 0, littleEndian)
  if (!small) return
  const [start, length] = [TAG.start, TAG.length].map((tag) => numberOf(view, small, tag))
  if (start !== undefined && length !== undefined) tiff.fill(0, start, start + length)
  tiff.fill(0, small.start, small.end)

  function numberOf(view: DataView, { start, end }: Directory, tag: number): number | undefined {
    for (let field = start + 2; field < end; field += FIELD_BYTES)
      if (view.getUint16(field, littleEndian) === tag)
        return view.getUint32(field + 8, littleEndian)
    return undefined
  }
}

/** A directory: from its number of fields to before the offset of the next one. */
interface Directory {
  start: number
  end: number
}

/** @param pointer where the offset of the directory is */
function directoryAt(
  view: DataView,
  pointer: number,
  littleEndian: boolean,
): Directory | undefined {
  if (pointer + 4 > view.byteLength) return undefined
  const start = view.getUint32(pointer, littleEndian)
  if (start === 0 || start + 2 > view.byteLength) return undefined
  const end = start + 2 + view.getUint16(start, littleEndian) * FIELD_BYTES
  return end + 4 <= view.byteLength ? { start, end } : undefined
}
