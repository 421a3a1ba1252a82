// Reservations as text: processors.duration.ready.deadline.policy, n for no deadline; c3 cancels the third one.
import { POLICIES } from "../kernel/timeline.js";

const MOST_TIME = 9999;

export function encodeRequest({ pes, duration, ready, deadline }) {
  return [pes, duration, ready, deadline ?? "n"].join(".");
}

// What makes no sense is null.
export function decodeRequest([pes, duration, ready, deadline]) {
  const request = { pes: Number(pes), duration: Number(duration), ready: Number(ready), deadline: deadline === "n" ? null : Number(deadline) };
  const { ready: from, duration: long } = request;
  const whole = [request.pes, long, from].every((value) => Number.isInteger(value) && value >= 0 && value <= MOST_TIME);
  if (!whole || request.pes < 1 || long < 1) return null;
  const sensible = request.deadline === null || (request.deadline >= from + long && request.deadline <= 2 * MOST_TIME);
  return sensible ? request : null;
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
