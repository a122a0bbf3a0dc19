import { roles } from '../shared/tree/roles.js';

/** The walls' names, those in plan first. */
const sides = ['front', 'back', 'left', 'right', 'ceiling', 'floor'];
/** Points of a wall's line in plan, which bends on a map whose distances are not to scale. */
const steps = 24;

/** The room of the objects: its nodes by their roles. */
export class Room {
  constructor(root) {
    const find = (role) => root.find(role);
    this.on = find(roles.roomOn);
    this.size = find(roles.roomSize);
    this.place = find(roles.roomPlace);
    this.turn = find(roles.roomTurn);
    this.order = find(roles.roomOrder);
    this.early = find(roles.roomEarly);
    this.late = find(roles.roomLate);
    this.lock = find(roles.roomLock);
    this.load = find(roles.roomLoad);
    this.state = find(roles.roomState);
    this.materials = find(roles.roomMaterials);
    const walls = root.findAll(roles.roomWall);
    this.walls = sides.map((side) => walls.find((node) => node.name === side)).filter(Boolean);
  }

  /** Whether there is a room that can be drawn. */
  get isThere() {
    return Boolean(this.on && this.size && this.place && this.turn && this.walls.length === 6);
  }

  /** The nodes that change its outline. */
  get shape() {
    return [this.on, this.size, this.place, this.turn, this.materials, ...this.walls];
  }

  /**
   * The four walls in plan: the colour of each, and its line as positions on the map. Empty while the room is off or unknown.
   *
   * @returns pairs of a colour and positions { azimuth, distance }
   */
  outline(values) {
    const [length, width] = this.isThere ? values.of(this.size) : [];
    const [front, left] = this.isThere ? values.of(this.place) : [];
    if (!values.of(this.on)?.[0] || !(length > 0) || front === undefined) return [];
    const turn = (values.number(this.turn) * Math.PI) / 180;
    const colours = coloursOf(values.of(this.materials)?.[0]);
    const corner = (x, y) => {
      const [east, north] = [(x * length) / 2, (y * width) / 2];
      return [front + Math.cos(turn) * east - Math.sin(turn) * north, left + Math.sin(turn) * east + Math.cos(turn) * north];
    };
    const corners = [[[1, 1], [1, -1]], [[-1, 1], [-1, -1]], [[1, 1], [-1, 1]], [[1, -1], [-1, -1]]];
    return corners.map(([from, to], wall) => [
      colours.get(values.of(this.walls[wall])?.[0]) ?? '#888888', line(corner(...from), corner(...to)),
    ]);
  }
}

/** The materials of a list by name: `{ title, colour }` of each. */
export function materialsOf(text) {
  return new Map((text ?? '').split('\n').filter(Boolean).map((each) => {
    const [name, colour, title] = each.split('\t');
    return [name, { colour, title: title || name }];
  }));
}

const coloursOf = (text) => new Map([...materialsOf(text)].map(([name, { colour }]) => [name, colour]));

function line([x0, y0], [x1, y1]) {
  return Array.from({ length: steps + 1 }, (_, step) => {
    const [x, y] = [x0 + ((x1 - x0) * step) / steps, y0 + ((y1 - y0) * step) / steps];
    return { azimuth: (Math.atan2(y, x) * 180) / Math.PI, distance: Math.hypot(x, y) };
  });
}
