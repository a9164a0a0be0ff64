// A display that hides the lead's live area while a pane opens beside it.
import type { Clock } from "../../agent/ports/clock.ts";
import type { Pane } from "../../screen/terminal/pane.ts";
import type { Display } from "../../team/display/display.ts";

/**
 * A pane that opens beside this one makes it narrower. tmux rewraps the screen at once but reports the new size a quarter of a second later, so the
 * live part is hidden meanwhile: otherwise its wrapped lines would remain.
 */
export function hideLiveAreaWhileOpening(display: Display, { pane, clock }: { pane: Pane; clock: Clock }): Display {
  return {
    ...display,
    async open(request) {
      const release = pane.hold();
      try {
        return await display.open(request);
      } finally {
        void clock.sleep(sizeNoticeMs).then(release);
      }
    },
  };
}

const sizeNoticeMs = 350;
