#version 450
#define PI 3.14159

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

uniform sampler2D image;
uniform float time;

struct Light {
    vec3 position;
    float power;
};

/* A wave over the picture. */
float wave(vec2 at, float speed) {
    return 0.5 + 0.5 * sin(at.x * PI * 4.0 + speed * time);
}

void main() {
    Light light = Light(vec3(0.0, 1.0, 2.0), 3.0);
    vec4 texel = texture(image, uv);
    if (texel.a < 0.1) {
        discard;
    }
    for (int i = 0; i < 3; ++i) {
        texel.rgb += wave(uv, float(i)) * light.power * 0.1;
    }
    color = vec4(texel.rgb, 1.0); // opaque
}
