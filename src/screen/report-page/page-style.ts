// The style of the report page, for light and dark, wide and narrow.

export const pageStyle = `
:root { color-scheme: light dark; --ink: light-dark(#1c1c1e, #e8e8ea); --dim: light-dark(#5f6368, #a0a4aa); --ground: light-dark(#fff, #16171a);
  --line: light-dark(#d9dce1, #34373d); --row: light-dark(#f4f5f7, #1e2024); --work: light-dark(#0b6b7a, #3fc3d6); --done: light-dark(#1a7431, #5fcf7d);
  --need: light-dark(#8a5a00, #f0b429); --fail: light-dark(#b3261e, #ff7b72); }
:root[data-theme=light] { color-scheme: light } :root[data-theme=dark] { color-scheme: dark }
* { box-sizing: border-box } html { scroll-padding-top: 3.5rem }
body { margin: 0 auto; max-width: 90rem; padding: 1rem; font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--ground) }
h1 { font-size: 1.4rem; margin: 0 0 .3rem } h2 { font-size: 1.05rem; margin: 1.6rem 0 .5rem }
p { margin: .2rem 0; overflow-wrap: anywhere } .key, small, time, .axis { color: var(--dim) } a { color: inherit }
nav, form { display: flex; flex-wrap: wrap; gap: .3rem 1rem; align-items: center; margin: .5rem 0 }
form { position: sticky; top: 0; z-index: 3; background: var(--ground); padding: .4rem 0; border-bottom: 1px solid var(--line) }
select, button { font: inherit; color: inherit; background: var(--row); border: 1px solid var(--line); border-radius: 4px; padding: .15rem .4rem; max-width: 18rem }
:focus-visible { outline: 2px solid var(--work); outline-offset: 1px }
.chart { padding: 0 .8rem 0 9rem; overflow: hidden } .track { position: relative; border-left: 1px solid var(--line) }
.axis { position: relative; height: 1.4rem; font-size: .75rem }
.axis i { position: absolute; font-style: normal; padding-left: 3px; border-left: 1px solid var(--line); white-space: nowrap }
.axis i.last { padding: 0 3px 0 0; border: 0; border-right: 1px solid var(--line) }
.axis s { position: absolute; text-decoration: none; overflow: hidden; text-align: center; background: repeating-linear-gradient(45deg, var(--line) 0 3px, transparent 3px 7px) }
.lane { position: relative; height: 32px; border-top: 1px solid var(--line) }
.lane > b { position: absolute; right: calc(100% + .6rem); width: 8.4rem; text-align: right; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; line-height: 32px }
.lane a { position: absolute; top: 11px; height: 17px; min-width: 2px; overflow: hidden; font-size: .7rem; line-height: 17px; padding-left: 2px; text-decoration: none;
  white-space: nowrap; border-left: 1px solid var(--ground) }
.lane em { position: absolute; top: 0; font-size: .7rem; line-height: 11px; font-style: normal; margin-left: -.3em; color: var(--dim) }
.lane em.lost { color: var(--fail); font-weight: bold } .lane em.restarted, .lane em.waits, .lane em.hung { color: var(--need); font-weight: bold }
.lane a.b { top: 24px; height: 7px; font-size: 0 } .lane a.w { z-index: 1 }
.lane a.w, .key .w { background: var(--work); color: var(--ground) } .lane a.b, .key .b { background: var(--need); color: var(--ground) } .key span { padding: 0 .3rem; border-radius: 2px }
.p0 > b { color: light-dark(#1f4fa3, #8ab4f8) } .p1 > b { color: light-dark(#8a2a8a, #e39ff6) } .p2 > b { color: light-dark(#00695c, #80cbc4) }
.p3 > b { color: light-dark(#7a4a00, #ffcc80) } .p4 > b { color: light-dark(#9c2750, #f48fb1) } .p5 > b { color: light-dark(#3d5a00, #c5e1a5) }
svg { position: absolute; z-index: 2; left: 0; bottom: 0; width: 100%; height: calc(var(--n) * 32px); pointer-events: none }
path { fill: none; stroke: var(--ink); stroke-width: 1; vector-effect: non-scaling-stroke; stroke-opacity: .8 }
.table { content-visibility: auto; contain-intrinsic-size: auto calc(3rem + var(--rows) * 2rem) } .scroll { overflow-x: auto } table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem .25rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; min-width: 4rem }
thead th { border: 0; color: var(--dim); font-weight: normal; font-size: .85rem; white-space: nowrap } tbody th { white-space: nowrap }
#tasks td:nth-child(4), #questions td:nth-child(3) { min-width: 14rem; width: 50% }
#tasks :is(td:nth-child(3), td:nth-child(7)), #cost td:nth-child(4) { overflow-wrap: break-word }
tr:target, li.here { background: var(--row); outline: 1px solid var(--work) }
.working { color: var(--work) } .done { color: var(--done) } .needs_you { color: var(--need) } .failed { color: var(--fail) } .waiting { color: var(--dim) }
td.working, td.done, td.needs_you, td.waiting { white-space: nowrap }
code { font: .9em ui-monospace, monospace }
ol { list-style: none; margin: 0; padding: 0; content-visibility: auto; contain-intrinsic-size: auto 4800px } li { padding: .1rem 0; overflow-wrap: anywhere }
time { display: inline-block; min-width: 4.2rem; font-variant-numeric: tabular-nums }
footer { margin-top: 2rem; color: var(--dim); font-size: .85rem }
@media (max-width: 62rem) { html { scroll-padding-top: 6rem } }
@media (max-width: 40rem) { html { scroll-padding-top: 8rem } body { padding: .6rem; font-size: 14px } .chart { padding: 0 .6rem 0 0 }
  .lane > b { right: auto; left: 2px; width: auto; max-width: 60%; line-height: 11px; font-size: .7rem; z-index: 1 } }
@media print { form { display: none } ol, .table { content-visibility: visible } }
`;
