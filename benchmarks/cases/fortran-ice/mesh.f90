! Heat flow on a structured mesh: parameters, named fields, an explicit solver and a text report.
module kinds
  implicit none
  integer, parameter :: dp = selected_real_kind(15, 307)
  real(dp), parameter :: pi = 3.14159265358979323846_dp
end module kinds

module text_tools
  use kinds, only: dp
  implicit none
  private
  public :: to_text, upper, pad

  interface to_text
    module procedure int_to_text, real_to_text
  end interface to_text

contains

  function int_to_text(n) result(s)
    integer, intent(in) :: n
    character(len=:), allocatable :: s
    character(len=20) :: buffer
    write (buffer, '(i0)') n
    s = trim(buffer)
  end function int_to_text

  function real_to_text(x, digits) result(s)
    real(dp), intent(in) :: x
    integer, intent(in), optional :: digits
    character(len=:), allocatable :: s
    character(len=40) :: buffer, form
    integer :: d
    d = 3
    if (present(digits)) d = digits
    write (form, '(a,i0,a)') '(f20.', d, ')'
    write (buffer, form) x
    s = trim(adjustl(buffer))
  end function real_to_text

  pure function upper(s) result(t)
    character(len=*), intent(in) :: s
    character(len=len(s)) :: t
    integer :: i, c
    do i = 1, len(s)
      c = iachar(s(i:i))
      if (c >= iachar('a') .and. c <= iachar('z')) c = c - 32
      t(i:i) = achar(c)
    end do
  end function upper

  pure function pad(s, n) result(t)
    character(len=*), intent(in) :: s
    integer, intent(in) :: n
    character(len=n) :: t
    t = s
  end function pad

end module text_tools

module grids
  use kinds, only: dp
  implicit none
  private
  public :: grid, make_grid

  type :: grid
    integer :: nx = 0, ny = 0
    real(dp) :: dx = 1.0_dp, dy = 1.0_dp
    real(dp), allocatable :: x(:), y(:)
  contains
    procedure :: cells => grid_cells
    procedure :: area => grid_area
    procedure :: inside => grid_inside
  end type grid

contains

  function make_grid(nx, ny, width, height) result(g)
    integer, intent(in) :: nx, ny
    real(dp), intent(in) :: width, height
    type(grid) :: g
    integer :: i
    g%nx = nx
    g%ny = ny
    g%dx = width / real(nx, dp)
    g%dy = height / real(ny, dp)
    allocate (g%x(nx), g%y(ny))
    g%x = [((real(i, dp) - 0.5_dp) * g%dx, i = 1, nx)]
    g%y = [((real(i, dp) - 0.5_dp) * g%dy, i = 1, ny)]
  end function make_grid

  pure integer function grid_cells(this)
    class(grid), intent(in) :: this
    grid_cells = this%nx * this%ny
  end function grid_cells

  pure real(dp) function grid_area(this)
    class(grid), intent(in) :: this
    grid_area = this%dx * this%dy
  end function grid_area

  elemental logical function grid_inside(this, i, j)
    class(grid), intent(in) :: this
    integer, intent(in) :: i, j
    grid_inside = i >= 1 .and. j >= 1 .and. i <= this%nx .and. j <= this%ny
  end function grid_inside

end module grids

module fields
  use kinds, only: dp
  use grids, only: grid
  use text_tools, only: to_text, upper, pad
  implicit none
  private
  public :: field, material, copper, glass

  type :: material
    character(len=12) :: name = 'none'
    real(dp) :: conductivity = 1.0_dp
    real(dp) :: capacity = 1.0_dp
  end type material

  type(material), parameter :: copper = material('copper', 401.0_dp, 3.45e6_dp)
  type(material), parameter :: glass = material('glass', 1.0_dp, 2.1e6_dp)

  type :: field
    character(len=16) :: name = ' '
    character(len=8) :: unit = ' '
    real(dp), allocatable :: v(:, :)
  contains
    procedure :: init => field_init
    procedure :: mean => field_mean
    procedure :: range => field_range
    procedure :: title_width
    procedure :: title
    procedure :: report
  end type field

contains

  subroutine field_init(this, name, unit, g, value)
    class(field), intent(inout) :: this
    character(len=*), intent(in) :: name, unit
    type(grid), intent(in) :: g
    real(dp), intent(in) :: value
    this%name = name
    this%unit = unit
    if (allocated(this%v)) deallocate (this%v)
    allocate (this%v(0:g%nx + 1, 0:g%ny + 1))
    this%v = value
  end subroutine field_init

  real(dp) function field_mean(this) result(m)
    class(field), intent(in) :: this
    integer :: nx, ny
    nx = ubound(this%v, 1) - 1
    ny = ubound(this%v, 2) - 1
    m = sum(this%v(1:nx, 1:ny)) / real(nx * ny, dp)
  end function field_mean

  function field_range(this) result(r)
    class(field), intent(in) :: this
    real(dp) :: r(2)
    r = [minval(this%v), maxval(this%v)]
  end function field_range

  pure integer function title_width(this)
    class(field), intent(in) :: this
    title_width = len_trim(this%name) + len_trim(this%unit) + 3
  end function title_width

  function title(this) result(t)
    class(field), intent(in) :: this
    character(len=this%title_width()) :: t
    t = trim(this%name)//' ['//trim(this%unit)//']'
  end function title

  subroutine report(this, unit)
    class(field), intent(in) :: this
    integer, intent(in) :: unit
    real(dp) :: r(2)
    r = this%range()
    write (unit, '(a)') pad(upper(this%title()), 28)//' mean '//to_text(this%mean())//' min '//to_text(r(1))//' max '//to_text(r(2))
  end subroutine report

end module fields

module solvers
  use kinds, only: dp, pi
  use grids, only: grid
  use fields, only: field, material
  implicit none
  private
  public :: solver, boundary

  abstract interface
    pure real(dp) function boundary(x, t)
      import :: dp
      real(dp), intent(in) :: x, t
    end function boundary
  end interface

  type :: solver
    type(grid) :: g
    type(material) :: stuff
    real(dp) :: time = 0.0_dp
    integer :: steps = 0
    procedure(boundary), pointer, nopass :: left => null()
  contains
    procedure :: limit => solver_limit
    procedure :: step => solver_step
    procedure :: run => solver_run
  end type solver

contains

  pure real(dp) function solver_limit(this) result(dt)
    class(solver), intent(in) :: this
    real(dp) :: alpha
    alpha = this%stuff%conductivity / this%stuff%capacity
    dt = 0.25_dp * min(this%g%dx, this%g%dy)**2 / alpha
  end function solver_limit

  subroutine solver_step(this, f, dt)
    class(solver), intent(inout) :: this
    type(field), intent(inout) :: f
    real(dp), intent(in) :: dt
    real(dp), allocatable :: old(:, :)
    real(dp) :: alpha
    integer :: i, j
    alpha = this%stuff%conductivity / this%stuff%capacity
    old = f%v
    do j = 1, this%g%ny
      do i = 1, this%g%nx
        f%v(i, j) = old(i, j) + dt * alpha * ((old(i + 1, j) - 2.0_dp * old(i, j) + old(i - 1, j)) / this%g%dx**2 &
                                              + (old(i, j + 1) - 2.0_dp * old(i, j) + old(i, j - 1)) / this%g%dy**2)
      end do
    end do
    f%v(this%g%nx + 1, :) = f%v(this%g%nx, :)
    f%v(:, 0) = f%v(:, 1)
    f%v(:, this%g%ny + 1) = f%v(:, this%g%ny)
    if (associated(this%left)) then
      do j = 1, this%g%ny
        f%v(0, j) = this%left(this%g%y(j), this%time)
      end do
    end if
    this%time = this%time + dt
    this%steps = this%steps + 1
  end subroutine solver_step

  subroutine solver_run(this, f, until)
    class(solver), intent(inout) :: this
    type(field), intent(inout) :: f
    real(dp), intent(in) :: until
    real(dp) :: dt
    do while (this%time < until)
      dt = min(this%limit(), until - this%time)
      call this%step(f, dt)
    end do
  end subroutine solver_run

end module solvers

program heat
  use, intrinsic :: iso_fortran_env, only: output_unit, error_unit
  use kinds, only: dp, pi
  use grids, only: grid, make_grid
  use fields, only: field, copper, glass
  use solvers, only: solver
  implicit none
  type(solver) :: s
  type(field) :: t, flux
  type(grid) :: g
  integer :: k

  g = make_grid(24, 12, 0.24_dp, 0.12_dp)
  call t%init('temperature', 'K', g, 293.15_dp)
  call flux%init('heat flux', 'W/m2', g, 0.0_dp)
  s%g = g
  s%stuff = copper
  s%left => warm
  write (output_unit, '(a,i0)') 'cells ', g%cells()
  do k = 1, 4
    call s%run(t, real(k, dp) * 5.0_dp)
    call t%report(output_unit)
  end do
  do k = 1, g%nx
    flux%v(k, :) = -s%stuff%conductivity * (t%v(k + 1, :) - t%v(k - 1, :)) / (2.0_dp * g%dx)
  end do
  call flux%report(output_unit)
  if (any(t%v < 0.0_dp)) then
    write (error_unit, '(a)') 'heat: negative temperature'
    stop 1
  end if

contains

  pure real(dp) function warm(x, t)
    real(dp), intent(in) :: x, t
    warm = 293.15_dp + 60.0_dp * sin(pi * x / 0.12_dp) * (1.0_dp - exp(-t))
  end function warm

end program heat
