/** Styles of a report, for screens in both themes and for paper. */
export const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d9d4cc, #45403a); --faint: light-dark(#57504a, #b5ada4); --ground: light-dark(#f6f4f0, #26231f); }
body { margin: 0 auto; padding: 24px; max-width: 1200px; background: light-dark(#fff, #1b1917); color: light-dark(#221d18, #f0ece6); font: 14px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 24px; overflow-wrap: anywhere; }
h2 { margin: 24px 0 8px; font-size: 16px; }
p { margin: 4px 0; }
header p, small { color: var(--faint); }
header .about { max-width: 80ch; color: inherit; white-space: pre-line; overflow-wrap: anywhere; }
header .note { color: inherit; font-weight: 600; }
figure { box-sizing: border-box; width: fit-content; max-width: 100%; margin: 24px 0; padding: 8px; border-radius: 6px; background: #fff; }
figure svg { display: block; max-width: 100%; height: auto; color-scheme: light; }
pre { margin: 0; padding: 12px; border: 1px solid var(--line); border-radius: 6px; background: var(--ground); white-space: pre-wrap; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; }
dd { margin: 0; }
dt, dd, pre, td { font-family: ui-monospace, monospace; font-size: 12px; }
table { border-collapse: collapse; }
th, td { padding: 4px 10px; border: 1px solid var(--line); text-align: start; vertical-align: top; }
th { position: sticky; top: 0; background: var(--ground); font-size: 12px; }
th small { display: block; font-weight: 400; }
td { max-width: 480px; white-space: pre-wrap; overflow-wrap: anywhere; }
.n { text-align: right; }
td i, th i { color: var(--faint); }
@media print {
  :root { color-scheme: light; }
  body { max-width: none; padding: 0; }
  th { position: static; }
  tr, figure { break-inside: avoid; }
  h2 { break-after: avoid; }
}
`
