// Reservations as text: processors.duration.ready.deadline.policy, n for no deadline; c3 cancels the third one.
import { POLICIES } from "../kernel/timeline.js";

const MOST_TIME = 9999;

export function encodeRequest({ pes, duration, ready, deadline }) {
  return [pes, duration, ready, deadline ?? "n"].join(".");
}

// What makes no sense is null.
export function decodeRequest([pes, duration, ready, deadline]) {
  const request = { pes: Number(pes), duration: Number(duration), ready: Number(ready), deadline: deadline === "n" ? null : Number(deadline) };
  const within = (value, most) => Number.isInteger(value) && value >= 0 && value <= most;
  const whole = [request.pes, request.duration, request.ready].every((value) => within(value, MOST_TIME));
  return whole && request.pes > 0 && request.duration > 0 && within(request.deadline ?? 0, 2 * MOST_TIME) ? request : null;
}

export function encodeBookings(log) {
  return log.map((command) =>
    command.do === "cancel" ? `c${command.number}` : `${encodeRequest(command.request)}.${command.policy}`).join("-");
}

export function decodeBookings(text) {
  return (text ?? "").split("-").slice(0, 99).map(decode).filter(Boolean);
}

function decode(word) {
  const cancel = /^c(\d{1,3})$/.exec(word);
  if (cancel) return { do: "cancel", number: Number(cancel[1]) };
  const parts = word.split(".");
  const request = parts.length === 5 ? decodeRequest(parts) : null;
  return request && POLICIES[parts[4]] ? { do: "reserve", request, policy: Number(parts[4]) } : null;
}
