/**
 * `Content-Disposition` of a download (RFC 6266): the name as it is by RFC 8187, and for old clients one of plain
 * characters. No name can break out of the header, whatever it holds.
 */
export function attachment(filename: string): string {
  const name = filename.toWellFormed()
  // A backslash and a quote could end the quoted string; a percent sign is taken for an encoding by some browsers.
  const plain = name.replace(/[^\u0020-\u007e]|["\\%]/gu, '_')
  return plain === name
    ? `attachment; filename="${plain}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${encode(name)}`
}

/** RFC 8187 leaves fewer characters as they are than a URL does. */
function encode(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
