// Each part at each moment, and the API at several.
import './sending.test';
