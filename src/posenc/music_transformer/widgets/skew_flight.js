// The skew: each number flies to its new place.
import { colorTable } from "../../kit/widgets/canvas.js";
import { flight } from "../../kit/widgets/flight.js";

const render = (host) => flight(host, colorTable(host.model.get("colors")));

export default { render };
