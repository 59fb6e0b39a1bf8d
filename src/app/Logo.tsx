/** Three houses in a row, their windows the cells of a table. */
export function Logo() {
  return (
    <svg viewBox="0 0 32 32" width="30" height="30" aria-hidden>
      <path fill="#b8573a" d="M2 13 7 7.5 12 13v15H2z" />
      <path fill="#2b7b70" d="M11 10.500 16 4l5 6.500V28H11z" />
      <path fill="#c9a35c" d="M20 13l5-5.500L30 13v15H20z" />
      <path
        fill="#fff"
        fillOpacity=".94"
        d="M5.300 15h3.400v3.200H5.300zm0 5.600h3.400v3.200H5.300zM14.300 12.500h3.400v3.200h-3.400zm0 5.600h3.400v3.200h-3.400zm0 5.600h3.400V28h-3.400zM23.300 15h3.400v3.200h-3.400zm0 5.600h3.400v3.200h-3.400z"
      />
    </svg>
  )
}
