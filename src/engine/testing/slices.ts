/** A file whose reads return these slices one after another, whatever range is asked for. */
export function inSlices(slices: readonly Uint8Array[]): Blob {
  let next = 0
  return {
    get size() {
      return next < slices.length ? Number.POSITIVE_INFINITY : 0
    },
    slice: () => {
      const bytes = slices[next++]
      return { arrayBuffer: () => Promise.resolve(bytes.slice().buffer) }
    },
  } as unknown as Blob
}

/** Cuts bytes at places that may be in any order, beyond the end, or duplicate. */
export function cutUp(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const bounds = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return bounds.slice(1).map((end, i) => bytes.subarray(bounds[i], end))
}
