const OTHERS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'Its TLS certificate has expired: renew it.',
  CERT_NOT_YET_VALID: 'Its TLS certificate isn’t valid yet: check the clocks of both machines.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its TLS certificate is for another host: use a name that the certificate has.',
}

/** What to do if another server's TLS certificate isn't accepted, by Node's codes; undefined for other errors. */
export function certificateAdvice(code: string): string | undefined {
  if (/^(?:DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER_CERT|UNABLE_TO_VERIFY_LEAF)/.test(code)) {
    return (
      `Its TLS certificate is self-signed, or by an authority that this machine doesn’t trust (${code}). ` +
      'Set $NODE_EXTRA_CA_CERTS to a file with the authority’s certificate, or the self-signed one.'
    )
  }
  return Object.hasOwn(OTHERS, code) ? OTHERS[code] : undefined
}
